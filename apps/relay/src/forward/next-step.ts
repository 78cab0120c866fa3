/** Schedules the next step of a call that waits. */

/** The longest time that a timer of JavaScript can have, in milliseconds. A longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The next step of a call: at most one is scheduled. It runs after the sockets were read. */
export class NextStep {
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** Runs `step` after the sockets were read: the client may have reset the call already. */
  soon(step: () => void): void {
    this.clear();
    this.#immediate = setImmediate(step);
  }

  /**
   * Runs `step` after a time in milliseconds, and after the sockets were read once more. After a pause of the relay's
   * process, a timer can expire before the relay reads a reset that the client has already sent.
   */
  after(ms: number, step: () => void): void {
    this.clear();
    this.#timer = setTimeout(() => this.soon(step), Math.min(ms, longestTimer));
  }

  /** Cancels the scheduled step. */
  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
