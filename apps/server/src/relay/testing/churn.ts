/** Makes calls without a pause, for tests that kill processes meanwhile, and records the calls that fail. */

import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '@podscope/base';

/** A call that failed, with the times at which it was made and failed. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly began: number;
  readonly ended: number;
}

/** Waits for a call. If it fails, records that, and throws its error. */
export type Recorded = <T>(call: Promise<T>) => Promise<T>;

export interface Churn {
  /** The names of the pieces of work that succeeded. */
  readonly succeeded: readonly string[];
  readonly failed: readonly Failure[];
  stop(): Promise<void>;
}

/**
 * Repeats work under new names until it is stopped.
 * @param inFlight how many pieces of work are always in progress
 */
export function churn(inFlight: number, work: (name: string, recorded: Recorded) => Promise<unknown>): Churn {
  const stopping = new AbortController();
  let last = 0;
  const succeeded: string[] = [];
  const failed: Failure[] = [];
  const repeat = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const name = `pod-${++last}`;
      const recorded: Recorded = async (call) => {
        const began = performance.now();
        try {
          return await call;
        } catch (error) {
          failed.push({ name, message: errorMessage(error), began, ended: performance.now() });
          throw error;
        }
      };
      await work(name, recorded).then(
        () => void succeeded.push(name),
        () => undefined,
      );
      // Let other events be handled, even if calls fail at once.
      await sleep(0);
    }
  };
  const all = Promise.all(Array.from({ length: inFlight }, repeat));
  return {
    succeeded,
    failed,
    async stop() {
      stopping.abort();
      await all;
    },
  };
}

/** A period in which calls may fail. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** Returns the failures that don't overlap with an outage. */
export const unexplained = (failures: readonly Failure[], outages: readonly Outage[]): readonly Failure[] =>
  failures.filter(({ began, ended }) => !outages.some(({ from, to }) => began <= to && ended >= from));
