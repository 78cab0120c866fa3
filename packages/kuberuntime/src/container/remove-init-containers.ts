/** Removes old instances of init containers. Upstream: kuberuntime_container.go (v1.36 and v1.20). */
import { errorText } from '@podscope/base';
import { kuberuntimePoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodStatus, Status } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { removeContainer } from './remove-container.ts';

async function removeAll(ctx: Context, dependencies: RuntimeDependencies, statuses: readonly Status[]): Promise<void> {
  for (const { id, name } of statuses) {
    try {
      await removeContainer(ctx, dependencies, id.id);
    } catch (error) {
      // The next sync retries the removal, so a failure doesn't fail this sync.
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `init container ${name} (${id.id}) can't be removed: ${errorText(error)}`,
      });
    }
  }
}

const statusesOf = ({ spec }: Pod, { containerStatuses }: PodStatus): readonly (readonly Status[])[] =>
  (spec.initContainers ?? []).map(({ name }) => containerStatuses.filter((status) => status.name === name));

/**
 * Removes all finished instances of each init container except the newest one. Upstream:
 * pruneInitContainersBeforeStart.
 */
export async function pruneInitContainersBeforeStart(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  podStatus: PodStatus,
): Promise<void> {
  if (!pod.spec.initContainers) return;
  const superfluous = statusesOf(pod, podStatus).flatMap((ofOne) =>
    ofOne.filter(({ state }) => state === 'exited' || state === 'unknown').slice(1),
  );
  if (superfluous.length === 0) return;
  const containers = superfluous.map(({ id }) => id.id);
  await ctx.tracer.span(ctx, kuberuntimePoints.pruneInitContainers, { containers }, (inner) =>
    removeAll(inner, dependencies, superfluous),
  );
}

/**
 * Removes all instances of all init containers, because a new sandbox starts the initialization again. Upstream:
 * purgeInitContainers.
 */
export async function purgeInitContainers(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  podStatus: PodStatus,
): Promise<void> {
  if (!pod.spec.initContainers) return;
  const all = statusesOf(pod, podStatus).flat();
  if (all.length === 0) return;
  const containers = all.map(({ id }) => id.id);
  await ctx.tracer.span(ctx, kuberuntimePoints.purgeInitContainers, { containers }, (inner) =>
    removeAll(inner, dependencies, all),
  );
}
