/** A queue between a sender that calls and a receiver that iterates. */

/** What is pushed comes out of the iteration, in order. */
export class PushQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #isEnded = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #onTake: ((item: T) => void) | undefined;

  /** @param onTake is told of each item that leaves the queue. */
  constructor(onTake?: (item: T) => void) {
    this.#onTake = onTake;
  }

  /** Dropped when the queue has ended. */
  push(item: T): boolean {
    if (this.#isEnded) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  /** Nothing comes after what is queued; with an error, iteration then fails. */
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
      // Nobody reads any more: what waits here must not hold the sender up.
      this.#isEnded = true;
      for (const item of this.#items.splice(0)) this.#onTake?.(item);
    }
  }
}
