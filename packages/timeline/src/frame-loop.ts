/** Schedules at most one animation frame at a time, and no frame while nothing changes. */

export interface FrameLoop {
  /** Requests a frame. */
  request(): void;
  /** Requests a frame after `ms` milliseconds, unless a frame is drawn before. */
  requestIn(ms: number): void;
  dispose(): void;
}

/**
 * @param frame receives the milliseconds since the last frame; at most 100, so that a motion doesn't jump after a pause
 */
export function createFrameLoop(frame: (elapsed: number) => void): FrameLoop {
  let handle = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerEnds = 0;
  let last = 0;
  const run = (time: number): void => {
    handle = 0;
    const elapsed = Math.min(100, last === 0 ? 16 : time - last);
    last = time;
    frame(elapsed);
    // If no further frame is scheduled, the elapsed time of the next frame begins at zero.
    if (handle === 0) last = 0;
  };
  const loop: FrameLoop = {
    request() {
      clearTimeout(timer);
      timer = undefined;
      if (handle === 0) handle = requestAnimationFrame(run);
    },
    requestIn(ms) {
      const ends = performance.now() + ms;
      if (handle !== 0 || (timer !== undefined && timerEnds <= ends)) return;
      clearTimeout(timer);
      timerEnds = ends;
      timer = setTimeout(() => loop.request(), ms);
    },
    dispose() {
      clearTimeout(timer);
      cancelAnimationFrame(handle);
    },
  };
  return loop;
}
