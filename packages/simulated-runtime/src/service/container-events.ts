/** Implements the stream of container events. Upstream: CRI GetContainerEvents. */
import type { ContainerEventResponse, ContainerEventType } from '@podscope/cri';
import { type Clock, toNanoseconds } from '@podscope/trace';

/** The queue of events for one subscriber. */
class Subscription implements AsyncIterableIterator<ContainerEventResponse> {
  readonly #queue: ContainerEventResponse[] = [];
  readonly #onClose: () => void;
  #open = true;
  #wake: (() => void) | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(event: ContainerEventResponse): void {
    this.#queue.push(event);
    this.#wake?.();
  }

  /** Accepts no further event. Queued events are still delivered. */
  close(): void {
    this.#open = false;
    this.#onClose();
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ContainerEventResponse, undefined>> {
    while (this.#open && this.#queue.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#queue.shift();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  return(): Promise<IteratorResult<ContainerEventResponse, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }
}

/** The statuses in an event of a sandbox or of one of its containers. */
export type EventStatuses = Pick<ContainerEventResponse, 'podSandboxStatus' | 'containersStatuses'>;

export class ContainerEvents {
  readonly #subscriptions = new Set<Subscription>();
  readonly #clock: Clock;
  readonly #statusesOf: (sandboxId: string) => EventStatuses;

  /** @param statusesOf returns the current statuses of a sandbox; only called while there are subscribers */
  constructor(clock: Clock, statusesOf: (sandboxId: string) => EventStatuses) {
    this.#clock = clock;
    this.#statusesOf = statusesOf;
  }

  /**
   * Emits an event to all current subscribers. In an event of a sandbox, `containerId` equals `sandboxId`.
   * @param at when it happened; default: now
   */
  publish(type: ContainerEventType, containerId: string, sandboxId: string, at = this.#clock.now()): void {
    if (this.#subscriptions.size === 0) return;
    const event: ContainerEventResponse = {
      containerId,
      containerEventType: type,
      createdAt: toNanoseconds(at),
      ...this.#statusesOf(sandboxId),
    };
    for (const subscription of this.#subscriptions) subscription.push(event);
  }

  /**
   * Returns the events from now on, until `signal` is aborted. Events that happen before the first `next()` are queued.
   */
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
