/** Keeps API objects over a restart: changes go to a port, behind the store, newest form of an object only. */
import type { KubernetesObject } from '@podscope/k8s';
import type { Clock, Milliseconds } from '@podscope/trace';

/** Where objects are kept. Keys are `resource/namespace/name`. */
export interface ObjectPersistence {
  /** Everything kept so far. */
  load(): Promise<readonly KubernetesObject[]>;
  /** Keeps an object in place of what was under that key; durable once it resolves. */
  put(key: string, object: KubernetesObject): Promise<void>;
  /** Forgets an object; fine when there is none. */
  delete(key: string): Promise<void>;
}

/** How long until objects that could not be kept are tried again. */
const retryDelay: Milliseconds = 5_000;

/** How a queue goes on after a failure. Without it, only the next change or {@link PersistenceQueue.saved} tries again. */
export interface PersistenceRetry {
  /** Real time. */
  readonly clock: Clock;
  /** Told once when objects can no longer be kept, with the error, and once (undefined) when they are again. */
  readonly report: (error: unknown) => void;
}

/** Writes one object at a time; what changes again before its turn is written once. */
export class PersistenceQueue {
  readonly #port: ObjectPersistence | undefined;
  readonly #retry: PersistenceRetry | undefined;
  #failing = false;
  #retrying = false;
  readonly #pending = new Map<string, KubernetesObject | undefined>();
  #writing: Promise<void> | undefined;

  /** Without a port nothing is kept. */
  constructor(port?: ObjectPersistence, retry?: PersistenceRetry) {
    this.#port = port;
    this.#retry = retry;
  }

  async load(): Promise<readonly KubernetesObject[]> {
    return (await this.#port?.load()) ?? [];
  }

  /** Notes the newest form of an object; undefined when it is gone. */
  record(key: string, object: KubernetesObject | undefined): void {
    if (!this.#port) return;
    this.#pending.set(key, object);
    this.#writing ??= this.#drain(this.#port);
    // Whoever needs to know asks saved(); the failure is not lost, it stays pending.
    this.#writing.catch(() => undefined);
  }

  /** Resolves once all that was recorded is kept. Rejects when it could not be; it is tried again with the next change or call. */
  async saved(): Promise<void> {
    if (!this.#port) return;
    if (this.#pending.size > 0) this.#writing ??= this.#drain(this.#port);
    await this.#writing;
  }

  async #drain(port: ObjectPersistence): Promise<void> {
    // The writes begin a turn later, so that several changes of an object in one go are one write.
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
      // It has been told, and is tried again.
    }
  }
}
