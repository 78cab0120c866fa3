/**
 * Recognizes the spans of CRI calls in traces. Holds other spans back until the span around them is known. Upstream:
 * otelgrpc's semantic conventions for RPC.
 */
import type { EventPlace } from '../event-writer.ts';
import type { ObservedSpan } from '../inputs.ts';

/** The service and method of a span that represents an RPC. */
interface SpanRpc {
  readonly service: string;
  readonly method: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Returns the CRI call that a client's or server's span represents. The service and the method have moved twice: at
 * first they were in `rpc.service` and `rpc.method`, then both in `rpc.method` as `service/method`, and now only the
 * span's name has both.
 */
export function rpcOf({ name, attributes }: Pick<ObservedSpan, 'name' | 'attributes'>): SpanRpc | undefined {
  const [service, method] = [textOf(attributes['rpc.service']), textOf(attributes['rpc.method'])];
  const full = service !== '' ? `${service}/${method}` : method.includes('/') ? method : name;
  const match = /^\/?(runtime\.v1(?:alpha2)?\.(?:Runtime|Image)Service)\/(\w+)$/.exec(full);
  return match ? { service: match[1] ?? '', method: match[2] ?? '' } : undefined;
}

/** Maximum number of spans that wait for their parents. */
const limit = 2_000;

/** A span of the log, with the thread and the pod of the spans below it. */
interface Parent {
  readonly span: number;
  readonly place: EventPlace;
}

/** Writes a span below `parent` and returns its number. */
type WriteBelow = (span: ObservedSpan, parent: Parent) => number;

/** Places the spans of a kubelet and of a runtime below the syncs and calls during which they happened. */
export class InnerSpans {
  /** Spans in the log by the span id in the trace. */
  readonly #known = new Map<string, Parent>();
  #waiting: ObservedSpan[] = [];
  readonly #write: WriteBelow;

  constructor(write: WriteBelow) {
    this.#write = write;
  }

  /** Stores the span of a call by the id in its `traceparent`. */
  called(traceparent: string | undefined, parent: Parent): void {
    const id = /^00-[\da-f]{32}-([\da-f]{16})-/.exec(traceparent ?? '')?.[1];
    if (id !== undefined) this.known(id, parent);
  }

  /** Stores a span of the log by its id in the trace, and writes the spans below it that have already arrived. */
  known(id: string, parent: Parent): void {
    this.#note(id, parent);
    this.#place();
  }

  /** A client's span and the span of its call have the same id, and the call is the better parent. */
  #note(id: string, parent: Parent): void {
    if (!this.#known.has(id)) this.#known.set(id, parent);
    if (this.#known.size > 10 * limit) this.#known.delete(this.#known.keys().next().value ?? '');
  }

  /** Adds a span. */
  add(span: ObservedSpan): void {
    this.#waiting.push(span);
    if (this.#waiting.length > limit) this.#waiting.splice(0, limit / 2);
    this.#place();
  }

  #place(): void {
    for (let found = true; found; ) {
      found = false;
      for (const each of Array.from(this.#waiting)) {
        const parent = this.#known.get(each.parent);
        if (parent === undefined) continue;
        this.#waiting = this.#waiting.filter((other) => other !== each);
        found = true;
        // The client's and the server's span of a call represent the call itself, so they aren't written again.
        this.#note(each.id, rpcOf(each) ? parent : { ...parent, span: this.#write(each, parent) });
      }
    }
  }
}
