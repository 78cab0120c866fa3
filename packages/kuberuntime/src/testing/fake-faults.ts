/** Calls that are ordered to fail, or to take their time. */
import { CriError } from '@podscope/cri';
import type { GrpcCode } from '@podscope/trace';

export interface OrderedFailure {
  readonly method: string;
  readonly error: string;
  readonly code?: string;
  /** Only a call about that container. */
  readonly container?: string;
  readonly leavesSandbox?: boolean;
}

export interface OrderedDelay {
  readonly method: string;
  readonly container: string;
  readonly seconds: number;
}

/** An ordered failure as the runtime would raise it. */
export const failureError = ({ error, code }: OrderedFailure): Error => (code ? new CriError(code as GrpcCode, error) : new Error(error));

export class FakeFaults {
  readonly #failures: OrderedFailure[] = [];
  readonly #delays: OrderedDelay[] = [];

  fail(failure: OrderedFailure): void {
    this.#failures.push(failure);
  }

  delay(delay: OrderedDelay): void {
    this.#delays.push(delay);
  }

  clear(method: string): void {
    for (let index = this.#failures.length - 1; index >= 0; index--) if (this.#failures[index]?.method === method) this.#failures.splice(index, 1);
  }

  /** The failure for this call, which is thereby used up. */
  takeFailure(method: string, container: string | undefined): OrderedFailure | undefined {
    return take(this.#failures, (failure) => failure.method === method && (failure.container === undefined || failure.container === container));
  }

  takeDelay(method: string, container: string | undefined): OrderedDelay | undefined {
    return take(this.#delays, (delay) => delay.method === method && delay.container === container);
  }
}

function take<T>(from: T[], matches: (item: T) => boolean): T | undefined {
  const index = from.findIndex(matches);
  return index < 0 ? undefined : from.splice(index, 1)[0];
}
