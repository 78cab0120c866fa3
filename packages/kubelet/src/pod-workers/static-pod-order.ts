/** Static pods of one full name run one after another: an edited manifest waits until its predecessor has ended. */

/** Which UID of a full name runs, and who waits. Upstream: startedStaticPodsByFullname, waitingToStartStaticPodsByFullname (v1.36). */
export class StaticPodOrder {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, readonly string[]>();

  /** Queues a new static pod. */
  wait(fullName: string, uid: string): void {
    this.#waiting.set(fullName, [...(this.#waiting.get(fullName) ?? []), uid]);
  }

  /** True when `uid` may start; it then holds the name. `isValid` says whether a waiting UID still wants to. Upstream: allowStaticPodStart. */
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

  /** Gives the name free if `uid` holds it. */
  release(fullName: string, uid: string): void {
    if (this.#started.get(fullName) === uid) this.#started.delete(fullName);
  }

  /** The UID that holds the name. */
  started(fullName: string): string | undefined {
    return this.#started.get(fullName);
  }
}
