/** A queue with one reader, the loop that owns it. */

/** Messages in the order in which they were put; `take` waits while there is none. */
export class Mailbox<T> {
  readonly #messages: T[] = [];
  #wake: (() => void) | undefined;

  get length(): number {
    return this.#messages.length;
  }

  /** Adds a message. */
  put(message: T): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** The next message; undefined once `signal` is aborted. */
  async take(signal: AbortSignal): Promise<T | undefined> {
    while (this.#messages.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          this.#wake = undefined;
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener('abort', wake, { once: true });
      });
    }
    return signal.aborted ? undefined : this.#messages.shift();
  }
}
