/**
 * Determines the order of image pulls: one at a time, or several in parallel. Upstream: pkg/kubelet/images/puller.go
 * (v1.36).
 */
import type { SharedSlot } from '@podscope/trace';

/** Runs pulls in an order that the implementation determines. */
export interface Puller {
  run<T>(pull: (slot: SharedSlot) => Promise<T>): Promise<T>;
}

/** Runs at most `limit` pulls at a time. Further pulls start in the order of their requests. */
class LimitedPuller implements Puller {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param limit Infinity for no limit */
  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(pull: (slot: SharedSlot) => Promise<T>): Promise<T> {
    const slot: SharedSlot = { enter: () => this.#enter(), leave: () => this.#leave() };
    await slot.enter();
    try {
      return await pull(slot);
    } finally {
      slot.leave();
    }
  }

  async #enter(): Promise<void> {
    // A finished pull passes its slot to the first pull in the queue, so that a later request can't occupy the slot.
    if (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

/** Options for image pulls on a node. */
export interface ImagePullOptions {
  /** Whether only one image is pulled at a time. Default: true. */
  readonly serialize?: boolean;
  /** The maximum number of parallel pulls if `serialize` is false. Default: no limit. */
  readonly maxParallel?: number;
  /** The maximum number of pulls per second; 0 for no limit. Default: 5. */
  readonly qps?: number;
  /** How many pulls may start at once before `qps` limits them. Default: 10. */
  readonly burst?: number;
}

export const newPuller = ({ serialize = true, maxParallel = Infinity }: ImagePullOptions): Puller =>
  new LimitedPuller(serialize ? 1 : maxParallel);
