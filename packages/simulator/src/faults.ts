/** Failures ordered in advance: by somebody who reaches in, or by the plan a run begins with. */
import { CriError } from '@podscope/cri';
import type { GrpcCode, Milliseconds } from '@podscope/trace';
import type { Operation } from './options.ts';
import type { Random } from './random.ts';

/** A failure to come. */
export interface Fault {
  readonly error: Error;
  /** How often it happens before things are well again; once when nothing is said. */
  readonly times?: number;
  /** How long the operation takes until it fails. */
  readonly after?: Milliseconds;
}

/** One line of a plan of failures, as data. */
export interface PlannedFault extends Omit<Fault, 'error'> {
  readonly operation: Operation;
  /** What the failure says. */
  readonly message: string;
  /** The gRPC status it fails with; Unknown when nothing is said. */
  readonly code?: GrpcCode;
  /** So many calls go well before; none when nothing is said. */
  readonly skip?: number;
  /** The part of the calls, 0 to 1, that it meets; all when nothing is said. */
  readonly probability?: number;
}

interface Waiting {
  readonly fault: Fault;
  readonly probability: number;
  skip: number;
  left: number;
}

export class Faults {
  readonly #waiting = new Map<Operation, Waiting[]>();
  readonly #random: Random;

  constructor(random: Random, plan: readonly PlannedFault[] = []) {
    this.#random = random;
    for (const { operation, message, code = 'Unknown', times, after, skip = 0, probability = 1 } of plan)
      this.#add(operation, { fault: { error: new CriError(code, message), after }, probability, skip, left: times ?? 1 });
  }

  /** Orders a failure of the next calls. Several wait for one another. */
  add(operation: Operation, fault: Fault): void {
    this.#add(operation, { fault, probability: 1, skip: 0, left: fault.times ?? 1 });
  }

  /** The failure this call must have, if any. */
  take(operation: Operation): Fault | undefined {
    const queue = this.#waiting.get(operation);
    const [first] = queue ?? [];
    if (!queue || !first) return undefined;
    if (first.skip > 0) {
      first.skip--;
      return undefined;
    }
    if (first.probability < 1 && this.#random.next() >= first.probability) return undefined;
    if (--first.left <= 0) queue.shift();
    return first.fault;
  }

  #add(operation: Operation, waiting: Waiting): void {
    const queue = this.#waiting.get(operation) ?? [];
    queue.push(waiting);
    this.#waiting.set(operation, queue);
  }
}
