/** One animation frame at a time, and none while nothing changes. */

export interface FrameLoop {
  /** Asks for a frame. */
  request(): void;
  /** Asks for one in `ms`, unless one comes before. */
  requestIn(ms: number): void;
  dispose(): void;
}

/** `frame` gets the milliseconds since the last one, at most 100: after a pause motion does not jump. */
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
    // Without a next frame the clock starts anew.
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
