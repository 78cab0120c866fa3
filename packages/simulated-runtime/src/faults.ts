/** Stores injected faults: those of the fault plan and those that are added during the run. */
import type { Random } from '@podscope/base';
import { CriError } from '@podscope/cri';
import type { GrpcCode, Milliseconds } from '@podscope/trace';
import type { Operation } from './operations.ts';

/** An injected fault. */
export interface Fault {
  readonly error: Error;
  /** How many calls fail. Default: 1. */
  readonly times?: number;
  /** How long a failing call takes, in ms. Default: 0. */
  readonly after?: Milliseconds;
}

/** One entry of a fault plan. */
export interface PlannedFault extends Omit<Fault, 'error'> {
  readonly operation: Operation;
  /** The error message. */
  readonly message: string;
  /** The gRPC status code. Default: Unknown. */
  readonly code?: GrpcCode;
  /** How many calls succeed before the first failure. Default: 0. */
  readonly skip?: number;
  /** Probability, 0 to 1, that a call fails. Default: 1. */
  readonly probability?: number;
}

interface PendingFault {
  readonly fault: Fault;
  readonly probability: number;
  skip: number;
  left: number;
}

export class Faults {
  readonly #pending = new Map<Operation, PendingFault[]>();
  readonly #random: Random;

  constructor(random: Random, plan: readonly PlannedFault[] = []) {
    this.#random = random;
    for (const { operation, message, code = 'Unknown', times, after, skip = 0, probability = 1 } of plan)
      this.#add(operation, {
        fault: { error: new CriError(code, message), after },
        probability,
        skip,
        left: times ?? 1,
      });
  }

  /**
   * Adds a fault for the next calls of an operation. If an operation has several faults, the faults apply one after
   * another, each when the previous fault has ended.
   */
  add(operation: Operation, fault: Fault): void {
    this.#add(operation, { fault, probability: 1, skip: 0, left: fault.times ?? 1 });
  }

  /** Returns true if a fault may apply to a call of the operation. */
  isPlanned(operation: Operation): boolean {
    return (this.#pending.get(operation)?.length ?? 0) > 0;
  }

  /** Counts a call and returns the fault that applies to it; undefined if the call succeeds. */
  take(operation: Operation): Fault | undefined {
    const queue = this.#pending.get(operation);
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

  #add(operation: Operation, pending: PendingFault): void {
    const queue = this.#pending.get(operation) ?? [];
    queue.push(pending);
    this.#pending.set(operation, queue);
  }
}
