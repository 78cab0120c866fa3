/** Reports mounts that SELinux relabeling makes recursively read-only although CRI didn't request that. */
import type { Mount } from '@podscope/cri';
import type { Context } from '@podscope/trace';

/**
 * Emits `createContainer.relabel` for each mount for which `isForced` returns true.
 * @param apiVersion the engine's API version
 */
export function reportForcedRecursion(
  ctx: Context,
  apiVersion: string,
  mounts: readonly Mount[] = [],
  isForced: (mount: Mount) => boolean,
): void {
  for (const mount of mounts.filter(isForced)) {
    const { hostPath, containerPath } = mount;
    const facts = { hostPath, containerPath, readonly: true, selinuxRelabel: true, apiVersion };
    const outcome = `relabel it: this makes the mounts below ${containerPath} read-only too`;
    ctx.tracer.decide(ctx, 'createContainer.relabel', facts, outcome);
  }
}
