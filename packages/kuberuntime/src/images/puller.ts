/** Who pulls when: one image after another, or several at once. Upstream: pkg/kubelet/images/puller.go (v1.36). */
import type { SharedSlot } from '@podscope/trace';

/** Runs pulls in its order. */
export interface Puller {
  run<T>(pull: (slot: SharedSlot) => Promise<T>): Promise<T>;
}

/** At most `limit` pulls at a time, in the order in which they were asked for. */
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
    // Who finishes hands its place on, so that nobody slips in between.
    if (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

/** How the node pulls images. */
export interface ImagePullOptions {
  /** One after another. Default true. */
  readonly serialize?: boolean;
  /** With `serialize` false: how many at once. Default: no limit. */
  readonly maxParallel?: number;
  /** Pulls a second that are allowed, 0 for no limit. Default 5. */
  readonly qps?: number;
  /** How many may come at once. Default 10. */
  readonly burst?: number;
}

export const newPuller = ({ serialize = true, maxParallel = Infinity }: ImagePullOptions): Puller => new LimitedPuller(serialize ? 1 : maxParallel);
