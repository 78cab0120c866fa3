/** Limits how often an action runs. */

export interface Throttle {
  /**
   * Requests a run. It starts at once if the pause after the last run has passed, otherwise at the end of that pause.
   */
  request(): void;
  /** Cancels a requested run. */
  cancel(): void;
}

/** @param pause the minimum time between the starts of two runs, in milliseconds */
export function createThrottle(run: () => void, pause: number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    request() {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          run();
        },
        Math.max(0, last + pause - performance.now()),
      );
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
