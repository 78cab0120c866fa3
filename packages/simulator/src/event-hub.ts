/** Gives each container event to everybody who listens at that time. */
import type { ContainerEventResponse } from '@podscope/cri';

/** One listener's queue. */
class Subscription implements AsyncIterableIterator<ContainerEventResponse> {
  readonly #waiting: ContainerEventResponse[] = [];
  readonly #onClose: () => void;
  #open = true;
  #wake: (() => void) | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(event: ContainerEventResponse): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Nothing more comes; what waits is still given out. */
  close(): void {
    this.#open = false;
    this.#onClose();
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ContainerEventResponse, undefined>> {
    while (this.#open && this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#waiting.shift();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  return(): Promise<IteratorResult<ContainerEventResponse, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }
}

export class EventHub {
  readonly #subscriptions = new Set<Subscription>();

  /** `describe` is only called when somebody listens. */
  publish(describe: () => ContainerEventResponse): void {
    if (this.#subscriptions.size === 0) return;
    const event = describe();
    for (const subscription of this.#subscriptions) subscription.push(event);
  }

  /** The events from now on, until `signal` is aborted. Listens at once, also before the first event is asked for. */
  subscribe(signal: AbortSignal): AsyncIterableIterator<ContainerEventResponse> {
    const close = (): void => subscription.close();
    const subscription = new Subscription(() => {
      this.#subscriptions.delete(subscription);
      signal.removeEventListener('abort', close);
    });
    if (signal.aborted) subscription.close();
    else {
      this.#subscriptions.add(subscription);
      signal.addEventListener('abort', close, { once: true });
    }
    return subscription;
  }
}
