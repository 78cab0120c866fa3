/** Persists API objects. Changes are written in the background, and only the newest version of each object. */
import type { KubernetesObject } from '@podscope/k8s';
import type { Clock, Milliseconds } from '@podscope/trace';

/** Durable storage for objects. Keys are `resource/namespace/name`. */
export interface ObjectPersistence {
  /** Returns all stored objects. */
  load(): Promise<readonly KubernetesObject[]>;
  /** Writes an object under its key. The object is durable once the promise resolves. */
  put(key: string, object: KubernetesObject): Promise<void>;
  /** Deletes an object. A missing object isn't an error. */
  delete(key: string): Promise<void>;
}

/** The delay after which a failed write is retried. */
const retryDelay: Milliseconds = 5_000;

/**
 * How failed writes are retried. Without these options, only the next change or {@link PersistenceQueue.saved} retries.
 */
export interface PersistenceRetry {
  /** The clock for the delays between retries, in real time. */
  readonly clock: Clock;
  /** Called with the error when writes start to fail, and with undefined when they succeed again. */
  readonly report: (error: unknown) => void;
}

/** Writes one object at a time. An object that changes again before its turn is written once. */
export class PersistenceQueue {
  readonly #port: ObjectPersistence | undefined;
  readonly #retry: PersistenceRetry | undefined;
  #failing = false;
  #retrying = false;
  readonly #pending = new Map<string, KubernetesObject | undefined>();
  #writing: Promise<void> | undefined;

  /** @param port the storage; if absent, nothing is written */
  constructor(port?: ObjectPersistence, retry?: PersistenceRetry) {
    this.#port = port;
    this.#retry = retry;
  }

  async load(): Promise<readonly KubernetesObject[]> {
    return (await this.#port?.load()) ?? [];
  }

  /** Queues the newest version of an object for writing. @param object undefined for a deleted object */
  record(key: string, object: KubernetesObject | undefined): void {
    if (!this.#port) return;
    this.#pending.set(key, object);
    this.#writing ??= this.#drain(this.#port);
    // After a failure the object stays queued, and saved() reports the error.
    this.#writing.catch(() => undefined);
  }

  /**
   * Resolves once all recorded changes are written. Rejects when a write fails; the next change or the next call
   * retries the write.
   */
  async saved(): Promise<void> {
    if (!this.#port) return;
    if (this.#pending.size > 0) this.#writing ??= this.#drain(this.#port);
    await this.#writing;
  }

  async #drain(port: ObjectPersistence): Promise<void> {
    // Start in the next turn, so that several changes of an object in one turn cause only one write.
    await Promise.resolve();
    try {
      for (let next = this.#pending.entries().next(); !next.done; next = this.#pending.entries().next()) {
        const [key, object] = next.value;
        this.#pending.delete(key);
        try {
          await (object ? port.put(key, object) : port.delete(key));
        } catch (error) {
          if (!this.#pending.has(key)) this.#pending.set(key, object);
          this.#onFailure(error);
          throw error;
        }
      }
      if (this.#failing) {
        this.#failing = false;
        this.#retry?.report(undefined);
      }
    } finally {
      this.#writing = undefined;
    }
  }

  #onFailure(error: unknown): void {
    if (!this.#retry) return;
    if (!this.#failing) {
      this.#failing = true;
      this.#retry.report(error);
    }
    if (this.#retrying) return;
    this.#retrying = true;
    this.#retry.clock.schedule(retryDelay, () => {
      this.#retrying = false;
      void this.#tryAgain();
    });
  }

  async #tryAgain(): Promise<void> {
    try {
      await this.saved();
    } catch {
      // The error is already reported, and a retry is scheduled.
    }
  }
}
