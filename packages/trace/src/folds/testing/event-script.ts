/** Builds event logs for tests. It assigns numbers and times, and tracks open spans. */
import type { Attributes, TraceEvent, UnstampedEvent } from '../../events/event.ts';

/** The fields of an event that a test provides. */
type Said = UnstampedEvent extends infer E
  ? E extends UnstampedEvent
    ? Omit<E, 'thread' | 'pod' | 'span'> & { readonly span?: number }
    : never
  : never;

/** Options of a span. The defaults of `kind` and `title` depend on the point. */
interface SpanOptions {
  readonly kind?: string;
  readonly title?: string;
  readonly attributes?: Attributes;
}

const kindOf = (point: string): string =>
  point.startsWith('cri.')
    ? 'cri'
    : point.startsWith('syncPod.')
      ? 'syncStep'
      : point.startsWith('lifecycle.')
        ? 'hook'
        : point === 'kuberuntime.SyncPod'
          ? 'sync'
          : 'function';

/** A log that a test builds. Times are in milliseconds since the start, which the constructor receives. */
export class EventScript {
  readonly events: TraceEvent[] = [];
  readonly pod: string;
  readonly startedAt: number;
  #time: number;
  #lastSpan = 0;
  #open: number[] = [];

  constructor(pod: string, startedAt = Date.UTC(2026, 0, 5, 9, 0, 0)) {
    this.pod = pod;
    this.startedAt = startedAt;
    this.#time = startedAt;
  }

  /** The current time of the log. */
  get now(): number {
    return this.#time;
  }

  /** Moves the time to `ms` after the start. */
  at(ms: number): this {
    this.#time = this.startedAt + ms;
    return this;
  }

  /** Advances the time by `ms`. */
  wait(ms: number): this {
    this.#time += ms;
    return this;
  }

  /** Adds an event inside the innermost open span. Its members have the order that the tracer and the log produce. */
  emit(said: Said): this {
    const seq = this.events.length + 1;
    this.events.push({
      span: this.#open.at(-1),
      pod: this.pod,
      ...said,
      thread: this.pod,
      seq,
      time: this.#time,
    } as TraceEvent);
    return this;
  }

  /** Opens a span and returns its id. */
  open(
    point: string,
    { kind = kindOf(point), title = point.slice(point.indexOf('.') + 1), attributes = {} }: SpanOptions = {},
  ): number {
    const span = ++this.#lastSpan;
    this.emit({ type: 'spanStarted', span, parent: this.#open.at(-1), point, kind, title, attributes });
    this.#open.push(span);
    return span;
  }

  /** Closes the innermost open span. */
  close(attributes?: Attributes, error?: { readonly reason: string; readonly message: string }): this {
    const span = this.#open.at(-1);
    if (span === undefined) throw new Error('no span is open');
    this.emit({ type: 'spanEnded', span, outcome: error ? 'error' : 'ok', error, attributes });
    this.#open.pop();
    return this;
  }

  /** Adds a CRI call that takes `ms`. */
  call(method: string, ms: number, request: Attributes, response: Attributes = {}): this {
    this.open(`cri.${method}`, { attributes: { request } });
    return this.wait(ms).close({ response });
  }

  /** Adds a CRI call that fails after `ms`. */
  failingCall(
    method: string,
    ms: number,
    request: Attributes,
    error: { readonly reason: string; readonly message: string },
  ): this {
    this.open(`cri.${method}`, { attributes: { request } });
    return this.wait(ms).close(undefined, error);
  }
}
