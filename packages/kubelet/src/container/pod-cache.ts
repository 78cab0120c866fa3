/**
 * Caches the newest status of each pod that the PLEG has read. A pod worker waits here for a status that is newer than
 * its last sync. Upstream: kubecontainer.Cache (v1.36).
 */
import type { PodStatus } from '@podscope/kuberuntime';
import { type Instant, instant } from '@podscope/trace';

interface Entry {
  readonly status: PodStatus;
  readonly error: Error | undefined;
  readonly modified: Instant;
  readonly observed: Instant;
}

interface Waiter {
  readonly after: Instant;
  readonly resolve: () => void;
}

const emptyStatus = (uid: string): PodStatus => ({
  id: uid,
  name: '',
  namespace: '',
  ips: [],
  containerStatuses: [],
  activeContainerStatuses: [],
  sandboxStatuses: [],
  timestamp: instant(0),
});

/** Stores statuses by pod UID, and the latest instant at which all of them were current. */
export class PodCache {
  readonly #entries = new Map<string, Entry>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  #time = instant(0);

  /** Returns the cached status without waiting; an empty status for an unknown pod. */
  get(uid: string): { readonly status: PodStatus; readonly error: Error | undefined } {
    return this.#entries.get(uid) ?? { status: emptyStatus(uid), error: undefined };
  }

  /**
   * Waits for a status that was read after `time`.
   * @throws the error with which the read failed; the signal's reason when the signal is aborted first
   */
  async getNewerThan(uid: string, time: Instant, signal: AbortSignal): Promise<PodStatus> {
    for (;;) {
      signal.throwIfAborted();
      const entry = this.#entries.get(uid);
      if (this.#time > time || (entry && (entry.modified > time || entry.observed > time))) {
        if (entry?.error) throw entry.error;
        return entry?.status ?? emptyStatus(uid);
      }
      await this.#changed(uid, time, signal);
    }
  }

  /** Stores a status, or the error of reading it, as of `time`. Returns false when a newer one is already stored. */
  set(uid: string, status: PodStatus | undefined, error: Error | undefined, time: Instant): boolean {
    const entry = this.#entries.get(uid);
    if (entry && entry.modified > time) return false;
    this.#entries.set(uid, {
      status: status ?? entry?.status ?? emptyStatus(uid),
      error,
      modified: time,
      observed: time,
    });
    this.#notify(uid, time);
    return true;
  }

  /** Records that the pod was inspected at `time` and hadn't changed. */
  setObservedTime(uid: string, time: Instant): void {
    const entry = this.#entries.get(uid);
    if (entry) this.#entries.set(uid, { ...entry, observed: time });
    this.#notify(uid, time);
  }

  /** Records that all stored statuses are current as of `time`. */
  updateTime(time: Instant): void {
    this.#time = time;
    for (const uid of this.#waiters.keys()) this.#notify(uid, time);
  }

  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  #notify(uid: string, time: Instant): void {
    for (const waiter of this.#waiters.get(uid) ?? []) if (time >= waiter.after) waiter.resolve();
  }

  #changed(uid: string, after: Instant, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(uid) ?? new Set();
      this.#waiters.set(uid, waiters);
      const leave = (): void => {
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiters.delete(uid);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        after,
        resolve: () => {
          leave();
          resolve();
        },
      };
      waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
