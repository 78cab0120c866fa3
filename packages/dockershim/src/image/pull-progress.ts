/** Emits the progress of a pull at most ten times per second, and always emits the last state. */
import type { Context } from '@podscope/trace';
import type { PullMessage } from '../docker/schemas.ts';

const intervalMs = 100;
const downloaded: ReadonlySet<string> = new Set(['Download complete', 'Pull complete', 'Already exists']);

interface Layer {
  readonly id: string;
  readonly status: string;
  readonly current?: number;
  readonly total?: number;
}

/** Collects the engine's messages about a pull into `pullProgress` events. */
export class PullProgress {
  readonly #ctx: Context;
  readonly #image: string;
  readonly #layers = new Map<string, Layer>();
  #lastTold = Number.NEGATIVE_INFINITY;
  #isUntold = false;

  constructor(ctx: Context, image: string) {
    this.#ctx = ctx;
    this.#image = image;
  }

  /**
   * True while layers are unpacked. The engine may send no messages during this time. With containerd's image store, it
   * sends none after all layers have arrived.
   */
  get isExtracting(): boolean {
    const statuses = [...this.#layers.values()].map(({ status }) => status);
    return (
      statuses.includes('Extracting') || (statuses.length > 0 && statuses.every((status) => downloaded.has(status)))
    );
  }

  add({ id, status, progressDetail }: PullMessage): void {
    // A message about the whole pull has the tag as its id, or no id.
    if (!id || !status || status.startsWith('Pulling from')) return;
    const known = this.#layers.get(id);
    const total = progressDetail?.total ?? known?.total;
    const current = progressDetail?.current ?? (status === 'Pull complete' ? total : known?.current);
    this.#layers.set(id, {
      id,
      status,
      ...(current === undefined ? {} : { current }),
      ...(total === undefined ? {} : { total }),
    });
    this.#isUntold = true;
    if (this.#ctx.clock.now() - this.#lastTold >= intervalMs) this.flush();
  }

  /** Emits the progress if it has changed since the last event. */
  flush(): void {
    if (!this.#isUntold) return;
    this.#isUntold = false;
    this.#lastTold = this.#ctx.clock.now();
    this.#ctx.tracer.emit(this.#ctx, { type: 'pullProgress', image: this.#image, layers: [...this.#layers.values()] });
  }
}
