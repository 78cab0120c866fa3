/** Writes event logs by hand, for tests of folds and pictures: numbers, times and spans are kept here, the story is the caller's. */
import type { Attributes, TraceEvent, UnstampedEvent } from '../../event.ts';

/** What an event says beside its place. */
type Said = UnstampedEvent extends infer E ? (E extends UnstampedEvent ? Omit<E, 'thread' | 'pod' | 'span'> & { readonly span?: number } : never) : never;

/** The values a span is opened with; `kind` and `title` follow from the point when left out. */
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

/** A log in the making. Times are milliseconds since the start that the constructor is given. */
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

  /** The instant at which the story stands. */
  get now(): number {
    return this.#time;
  }

  /** Goes on to `ms` after the start. */
  at(ms: number): this {
    this.#time = this.startedAt + ms;
    return this;
  }

  /** Lets `ms` pass. */
  wait(ms: number): this {
    this.#time += ms;
    return this;
  }

  /** Adds an event inside the innermost open span. */
  say(said: Said): this {
    const seq = this.events.length + 1;
    this.events.push({ span: this.#open.at(-1), ...said, seq, time: this.#time, thread: this.pod, pod: this.pod } as TraceEvent);
    return this;
  }

  /** Opens a span and gives back its id. */
  open(point: string, { kind = kindOf(point), title = point.slice(point.indexOf('.') + 1), attributes = {} }: SpanOptions = {}): number {
    const span = ++this.#lastSpan;
    this.say({ type: 'spanStarted', span, parent: this.#open.at(-1), point, kind, title, attributes });
    this.#open.push(span);
    return span;
  }

  /** Closes the innermost span. */
  close(attributes?: Attributes, error?: { readonly reason: string; readonly message: string }): this {
    const span = this.#open.at(-1);
    if (span === undefined) throw new Error('no span is open');
    this.say({ type: 'spanEnded', span, outcome: error ? 'error' : 'ok', error, attributes });
    this.#open.pop();
    return this;
  }

  /** A CRI call that takes `ms`. */
  call(method: string, ms: number, request: Attributes, response: Attributes = {}): this {
    this.open(`cri.${method}`, { attributes: { request } });
    return this.wait(ms).close({ response });
  }

  /** A CRI call that fails after `ms`. */
  failingCall(method: string, ms: number, request: Attributes, error: { readonly reason: string; readonly message: string }): this {
    this.open(`cri.${method}`, { attributes: { request } });
    return this.wait(ms).close(undefined, error);
  }
}
