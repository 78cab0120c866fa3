/**
 * Runs static pods with the same full name one after another. A pod from an edited manifest waits until its predecessor
 * has finished.
 */

/**
 * Stores the running and the waiting UIDs of each full name. Upstream: startedStaticPodsByFullname,
 * waitingToStartStaticPodsByFullname (v1.36).
 */
export class StaticPodOrder {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, readonly string[]>();

  /** Queues a new static pod. */
  wait(fullName: string, uid: string): void {
    this.#waiting.set(fullName, [...(this.#waiting.get(fullName) ?? []), uid]);
  }

  /**
   * Returns whether `uid` may start; if so, `uid` owns the name. Upstream: allowStaticPodStart.
   * @param isValid returns whether a waiting UID should still start
   */
  allowStart(fullName: string, uid: string, isValid: (uid: string) => boolean): boolean {
    const started = this.#started.get(fullName);
    if (started !== undefined) return started === uid;
    const waiting = (this.#waiting.get(fullName) ?? []).filter((other) => other === uid || isValid(other));
    this.#waiting.set(fullName, waiting);
    if (waiting.length > 0 && waiting[0] !== uid) return false;
    this.#started.set(fullName, uid);
    this.#waiting.set(fullName, waiting.slice(1));
    if (waiting.length <= 1) this.#waiting.delete(fullName);
    return true;
  }

  /** Releases the name if `uid` owns it. */
  release(fullName: string, uid: string): void {
    if (this.#started.get(fullName) === uid) this.#started.delete(fullName);
  }

  /** Returns the UID that owns the name. */
  started(fullName: string): string | undefined {
    return this.#started.get(fullName);
  }
}
