/** Clears away what old init containers left. Upstream: kuberuntime_container.go (v1.36 and v1.20). */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { kuberuntimePoints } from '../points.ts';
import type { PodStatus, Status } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { errorText } from '../util/errors.ts';
import { removeContainer } from './remove-container.ts';

async function removeAll(ctx: Context, parts: RuntimeParts, statuses: readonly Status[]): Promise<void> {
  for (const { id, name } of statuses) {
    try {
      await removeContainer(ctx, parts, id.id);
    } catch (error) {
      // It is tried again at the next sync; the pod does not wait for it.
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `init container ${name} (${id.id}) can't be removed: ${errorText(error)}` });
    }
  }
}

const statusesOf = ({ spec }: Pod, { containerStatuses }: PodStatus): readonly (readonly Status[])[] =>
  (spec.initContainers ?? []).map(({ name }) => containerStatuses.filter((status) => status.name === name));

/** Of each init container, only the newest instance that ended stays. Upstream: pruneInitContainersBeforeStart. */
export async function pruneInitContainersBeforeStart(ctx: Context, parts: RuntimeParts, pod: Pod, podStatus: PodStatus): Promise<void> {
  if (!pod.spec.initContainers) return;
  const superfluous = statusesOf(pod, podStatus).flatMap((ofOne) => ofOne.filter(({ state }) => state === 'exited' || state === 'unknown').slice(1));
  if (superfluous.length === 0) return;
  const containers = superfluous.map(({ id }) => id.id);
  await ctx.tracer.span(ctx, kuberuntimePoints.pruneInitContainers, { containers }, (inner) => removeAll(inner, parts, superfluous));
}

/** All instances go: a new sandbox begins from the start. Upstream: purgeInitContainers. */
export async function purgeInitContainers(ctx: Context, parts: RuntimeParts, pod: Pod, podStatus: PodStatus): Promise<void> {
  if (!pod.spec.initContainers) return;
  const all = statusesOf(pod, podStatus).flat();
  if (all.length === 0) return;
  const containers = all.map(({ id }) => id.id);
  await ctx.tracer.span(ctx, kuberuntimePoints.purgeInitContainers, { containers }, (inner) => removeAll(inner, parts, all));
}
