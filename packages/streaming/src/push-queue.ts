/** Implements a queue: the sender calls `push`, and the receiver iterates over the queue. */

/** Yields the pushed items in order. */
export class PushQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #isEnded = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #onTake: ((item: T) => void) | undefined;

  /** @param onTake called with each item that leaves the queue */
  constructor(onTake?: (item: T) => void) {
    this.#onTake = onTake;
  }

  /** Adds an item. Returns false, and drops it, after the end. */
  push(item: T): boolean {
    if (this.#isEnded) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  /**
   * Ends the queue. The receiver still gets the items that are already in it. With an error, the iteration then throws
   * the error.
   */
  end(failure?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        while (this.#items.length > 0) {
          const item = this.#items.shift() as T;
          this.#onTake?.(item);
          yield item;
        }
        if (this.#failure) throw this.#failure;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      // The reader is gone; remaining items must not block the sender.
      this.#isEnded = true;
      for (const item of this.#items.splice(0)) this.#onTake?.(item);
    }
  }
}
