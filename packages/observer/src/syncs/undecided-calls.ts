/** Keeps the calls whose sync isn't known when they start: ImageStatus, and traced calls of Version. */
import type { CallRecord } from '../inputs.ts';
import { textAt } from '../state/fields.ts';
import { traceOf } from './assembler.ts';
import type { ObservedSync } from './sync.ts';

/** How long a call may wait until it is assigned to a sync, in milliseconds. */
const undecidedFor = 1_000;

export class UndecidedCalls {
  readonly #calls = new Map<number, CallRecord>();

  /** Adds a call that starts. Returns false if its sync needn't be waited for. */
  started(call: CallRecord): boolean {
    const waits = call.method === 'ImageStatus' || (call.method === 'Version' && traceOf(call) !== undefined);
    if (waits) this.#calls.set(call.number, call);
    return waits;
  }

  /** Adds the result of a call that still waits. */
  ended(call: CallRecord): void {
    if (this.#calls.has(call.number)) this.#calls.set(call.number, call);
  }

  /** The calls that wait, in the order in which they started. */
  get all(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  /** Returns the calls that have waited too long. */
  overdue(now: number): readonly CallRecord[] {
    return this.all.filter(({ t }) => t + undecidedFor < now);
  }

  /** Returns the calls of a sync to which another call belongs: with the same trace or, without traces, its image. */
  claimedBy(sync: ObservedSync, { request }: CallRecord): readonly CallRecord[] {
    const image = textAt(request, 'config', 'image', 'userSpecifiedImage') || textAt(request, 'image', 'image');
    return this.all.filter((call) =>
      sync.trace === undefined ? isOfImage(call, image) : traceOf(call) === sync.trace,
    );
  }

  /** Removes a call and returns it. Returns undefined if it doesn't wait. */
  take(number: number): CallRecord | undefined {
    const call = this.#calls.get(number);
    this.#calls.delete(number);
    return call;
  }
}

const isOfImage = ({ method, request }: CallRecord, image: string): boolean =>
  method === 'ImageStatus' && image !== '' && textAt(request, 'image', 'image') === image;
