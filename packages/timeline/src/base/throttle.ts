/** Limits how often an action runs. */

export interface Throttle {
  /** Requests a run: at once if the last run is long enough ago, else when the pause after it has passed. */
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
