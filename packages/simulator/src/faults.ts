/** Failures ordered in advance. */
import type { Milliseconds } from '@podscope/trace';
import type { Operation } from './options.ts';

/** A failure to come. */
export interface Fault {
  readonly error: Error;
  /** How often it happens before things are well again; once when nothing is said. */
  readonly times?: number;
  /** How long the operation takes until it fails. */
  readonly after?: Milliseconds;
}

export class Faults {
  readonly #waiting = new Map<Operation, { readonly fault: Fault; left: number }[]>();

  /** Orders a failure of the next calls. Several wait for one another. */
  add(operation: Operation, fault: Fault): void {
    const queue = this.#waiting.get(operation) ?? [];
    queue.push({ fault, left: fault.times ?? 1 });
    this.#waiting.set(operation, queue);
  }

  /** The failure this call must have, if any. */
  take(operation: Operation): Fault | undefined {
    const queue = this.#waiting.get(operation);
    const [first] = queue ?? [];
    if (!queue || !first) return undefined;
    if (--first.left <= 0) queue.shift();
    return first.fault;
  }
}
