/** Caches why containers couldn't be started, until a start succeeds. Upstream: pkg/kubelet/reason_cache.go (v1.36). */
import type { PodSyncResult } from '@podscope/kuberuntime';

/** The name and the details of the error with which a start failed. */
export interface ReasonItem {
  readonly error: string;
  readonly message: string;
}

/** Returns why a container is not running. */
export interface ReasonLookup {
  get(uid: string, container: string): ReasonItem | undefined;
}

const maxReasonCacheEntries = 1000;

/**
 * Stores the last start failure by pod and container. When the cache is full, the least recently used entry is dropped.
 */
export class ReasonCache implements ReasonLookup {
  readonly #items = new Map<string, ReasonItem>();

  get(uid: string, container: string): ReasonItem | undefined {
    const key = `${uid}_${container}`;
    const item = this.#items.get(key);
    if (item) this.#put(key, item);
    return item;
  }

  /**
   * Stores the StartContainer results of a sync. Containers without a result keep their entry. Upstream:
   * ReasonCache.Update.
   */
  update(uid: string, result: PodSyncResult): void {
    for (const { action, target, error, message } of result.syncResults) {
      if (action !== 'StartContainer') continue;
      const key = `${uid}_${target}`;
      if (error) this.#put(key, { error: error.message, message });
      else this.#items.delete(key);
    }
  }

  /** Restores an entry that an earlier kubelet had. */
  restore(uid: string, container: string, item: ReasonItem): void {
    this.#put(`${uid}_${container}`, item);
  }

  #put(key: string, item: ReasonItem): void {
    this.#items.delete(key);
    this.#items.set(key, item);
    if (this.#items.size <= maxReasonCacheEntries) return;
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.#items.delete(oldest);
  }
}
