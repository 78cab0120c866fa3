/** Implements a typed list of listeners. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Calls `listener` with each value of `type`. Returns a function that unsubscribes it. */
  on<Type extends keyof Events>(type: Type, listener: (value: Events[Type]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  emit<Type extends keyof Events>(type: Type, value: Events[Type]): void {
    for (const listener of this.#listeners.get(type) ?? []) (listener as (value: Events[Type]) => void)(value);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
