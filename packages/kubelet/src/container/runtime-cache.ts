/** What runs, as it was at most two seconds ago. Upstream: kubecontainer.RuntimeCache (v1.20). */
import type { Runtime, RuntimePod } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import { quiet } from '../util/quiet.ts';

const defaultCachePeriod: Milliseconds = 2000;
/** Housekeeping comes every two seconds and is to find the last listing outdated, however punctual it is. */
const tolerance: Milliseconds = 100;

/** Running pods, listed again when the listing has become old. */
export class RuntimeCache {
  readonly #runtime: Pick<Runtime, 'getPods'>;
  #pods: readonly RuntimePod[] = [];
  #cacheTime: Instant = instant(0);

  constructor(runtime: Pick<Runtime, 'getPods'>) {
    this.#runtime = runtime;
  }

  /** @throws Error when the runtime can't be listed. */
  async getPods(ctx: Context): Promise<readonly RuntimePod[]> {
    if (ctx.clock.now() - this.#cacheTime > defaultCachePeriod - tolerance) await this.#refresh(ctx);
    return this.#pods;
  }

  /** Lists again if the listing is older than `time`. Upstream: ForceUpdateIfOlder. */
  async forceUpdateIfOlder(ctx: Context, time: Instant): Promise<void> {
    if (this.#cacheTime <= time) await this.#refresh(ctx);
  }

  async #refresh(ctx: Context): Promise<void> {
    const { clock } = ctx;
    const timestamp = clock.now();
    this.#pods = await this.#runtime.getPods(quiet(ctx), false);
    this.#cacheTime = timestamp;
  }
}
