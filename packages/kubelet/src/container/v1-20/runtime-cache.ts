/** Caches the running pods for at most two seconds. Upstream: kubecontainer.RuntimeCache (v1.20). */
import type { Runtime, RuntimePod } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import { withoutTracing } from '../../util/without-tracing.ts';

const defaultCachePeriod: Milliseconds = 2000;
/**
 * The difference by which the cache expires early. Housekeeping runs every two seconds, and the cache must be expired
 * at each run, even at a run that is exactly on time.
 */
const tolerance: Milliseconds = 100;

/** Returns the running pods, and lists them again when the cache has expired. */
export class RuntimeCache {
  readonly #runtime: Pick<Runtime, 'getPods'>;
  #pods: readonly RuntimePod[] = [];
  #cacheTime: Instant = instant(0);

  constructor(runtime: Pick<Runtime, 'getPods'>) {
    this.#runtime = runtime;
  }

  /**
   * Returns the running pods.
   * @throws Error when the runtime can't be listed
   */
  async getPods(ctx: Context): Promise<readonly RuntimePod[]> {
    if (ctx.clock.now() - this.#cacheTime > defaultCachePeriod - tolerance) await this.#refresh(ctx);
    return this.#pods;
  }

  /** Lists the pods again if the cache is older than `time`. Upstream: ForceUpdateIfOlder. */
  async forceUpdateIfOlder(ctx: Context, time: Instant): Promise<void> {
    if (this.#cacheTime <= time) await this.#refresh(ctx);
  }

  async #refresh(ctx: Context): Promise<void> {
    const { clock } = ctx;
    const timestamp = clock.now();
    this.#pods = await this.#runtime.getPods(withoutTracing(ctx), false);
    this.#cacheTime = timestamp;
  }
}
