/**
 * Recognizes the spans of CRI calls in traces. Holds other spans back until the span around them is known. Upstream:
 * otelgrpc's semantic conventions for RPC.
 */
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

/** Places the spans of a runtime below the calls during which they happened. */
export class InnerSpans {
  /** Spans in the log by the span id in the trace. */
  readonly #known = new Map<string, number>();
  #waiting: ObservedSpan[] = [];

  /** Stores the span of a call by the id in its `traceparent`. */
  called(traceparent: string | undefined, span: number): void {
    const id = /^00-[\da-f]{32}-([\da-f]{16})-/.exec(traceparent ?? '')?.[1];
    if (id !== undefined) this.#note(id, span);
  }

  #note(id: string, span: number): void {
    this.#known.set(id, span);
    if (this.#known.size > 10 * limit) this.#known.delete(this.#known.keys().next().value ?? '');
  }

  /**
   * Adds a span.
   * @param write writes a span below `parent` and returns its number
   */
  add(span: ObservedSpan, write: (span: ObservedSpan, parent: number) => number): void {
    this.#waiting.push(span);
    if (this.#waiting.length > limit) this.#waiting.splice(0, limit / 2);
    for (let found = true; found; ) {
      found = false;
      for (const each of Array.from(this.#waiting)) {
        const parent = this.#known.get(each.parent);
        if (parent === undefined) continue;
        this.#waiting = this.#waiting.filter((other) => other !== each);
        found = true;
        // The server's span of a call represents the call itself, so it isn't written again.
        this.#note(each.id, rpcOf(each) ? parent : write(each, parent));
      }
    }
  }
}
