/** Implements a clock with the machine's time, for tests with a real engine. */
import { type Clock, instant } from '@podscope/trace';

export const realClock: Clock = {
  now: () => instant(performance.timeOrigin + performance.now()),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return { cancel: () => clearTimeout(timer) };
  },
};
