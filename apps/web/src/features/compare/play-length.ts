/** Decides for how long the other release is played, so that it lasts as long as the current run. */

/** Minimum length, in milliseconds. It is necessary because the current run may have just begun. */
const least = 120_000;

export class PlayLength {
  /** The length for which the other release was last played, or should have been. */
  #requested = 0;

  /** Returns the length for the first play, if the current run has lasted for `elapsed`. In milliseconds. */
  first(elapsed: number): number {
    this.#requested = Math.max(least, elapsed);
    return this.#requested;
  }

  /**
   * Returns a greater length if the current run has lasted for `elapsed`, which is longer than `played`; otherwise
   * undefined. After a request it waits until the run is longer than that, because playing may have failed.
   */
  next(elapsed: number, played: number): number | undefined {
    if (elapsed <= Math.max(played, this.#requested)) return undefined;
    this.#requested = 2 * elapsed;
    return this.#requested;
  }
}
