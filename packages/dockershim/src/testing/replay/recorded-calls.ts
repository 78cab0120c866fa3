/** Compares the calls of one step with the recorded ones and returns the recorded answers. */
import { isDeepStrictEqual } from 'node:util';
import type { Disagreement } from '@podscope/kuberuntime/testing';
import { withoutZeros } from './normal-form.ts';
import type { RecordedCall } from './vector.ts';

/** The error when a step makes another call than the recorded one. */
export class OffTheRecord extends Error {}

const answerKeys: ReadonlySet<string> = new Set(['on', 'method', 'result', 'error', 'imageNotFound', 'code']);

const argumentsOf = (call: RecordedCall): Record<string, unknown> =>
  Object.fromEntries(Object.entries(call).filter(([key]) => !answerKeys.has(key)));

export class RecordedCalls {
  /** The differences of the step. */
  readonly disagreements: Disagreement[] = [];
  #calls: readonly RecordedCall[] = [];
  #next = 0;

  /** Begins a step. File writes are compared separately, because the recordings don't contain their order. */
  begin(calls: readonly RecordedCall[]): void {
    this.#calls = calls.filter(({ on }) => on !== 'file');
    this.#next = 0;
    this.disagreements.length = 0;
  }

  /** Returns the next recorded call. */
  peek(): RecordedCall | undefined {
    return this.#calls[this.#next];
  }

  /**
   * Returns the answer to the next call.
   * @throws OffTheRecord if the recorded call is another one
   */
  take(on: RecordedCall['on'], method: string, args: Readonly<Record<string, unknown>>): RecordedCall {
    const recorded = this.#calls[this.#next];
    const got = { on, method, ...(withoutZeros(args) as object) };
    const expected = recorded && {
      on: recorded.on,
      method: recorded.method,
      ...(withoutZeros(argumentsOf(recorded)) as object),
    };
    if (!recorded || !isDeepStrictEqual(expected, got)) {
      this.disagreements.push({ what: `calls[${this.#next}]`, expected, got });
      if (!recorded || recorded.on !== on || recorded.method !== method)
        throw new OffTheRecord(`${on} ${method} is not what was recorded`);
    }
    this.#next += 1;
    return recorded;
  }

  /** Ends the step. Recorded calls that weren't made are reported as differences. */
  end(): void {
    if (this.disagreements.length > 0) return;
    for (const [index, call] of this.#calls.entries()) {
      if (index >= this.#next)
        this.disagreements.push({
          what: `calls[${index}]`,
          expected: { on: call.on, method: call.method, ...argumentsOf(call) },
          got: undefined,
        });
    }
  }
}
