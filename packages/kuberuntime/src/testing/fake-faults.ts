/** Injects failures and delays into calls of the fake runtime. */
import { CriError } from '@podscope/cri';
import type { GrpcCode } from '@podscope/trace';

export interface OrderedFailure {
  readonly method: string;
  readonly error: string;
  readonly code?: string;
  /** The container whose calls fail. Absent: the calls of every container fail. */
  readonly container?: string;
  readonly leavesSandbox?: boolean;
}

export interface OrderedDelay {
  readonly method: string;
  readonly container: string;
  readonly seconds: number;
}

/** Returns the error with which the runtime reports the failure. */
export const failureError = ({ error, code }: OrderedFailure): Error =>
  code ? new CriError(code as GrpcCode, error) : new Error(error);

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
    for (let index = this.#failures.length - 1; index >= 0; index--)
      if (this.#failures[index]?.method === method) this.#failures.splice(index, 1);
  }

  /** Returns the failure for this call, if any, and removes it from the list. */
  takeFailure(method: string, container: string | undefined): OrderedFailure | undefined {
    return take(
      this.#failures,
      (failure) => failure.method === method && (failure.container === undefined || failure.container === container),
    );
  }

  takeDelay(method: string, container: string | undefined): OrderedDelay | undefined {
    return take(this.#delays, (delay) => delay.method === method && delay.container === container);
  }
}

function take<T>(from: T[], matches: (item: T) => boolean): T | undefined {
  const index = from.findIndex(matches);
  return index < 0 ? undefined : from.splice(index, 1)[0];
}
