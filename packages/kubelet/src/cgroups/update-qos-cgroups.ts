/**
 * Updates the cgroups of the QoS classes and logs a failure. Upstream: the calls of containerManager.UpdateQOSCgroups
 * (v1.36, v1.20).
 */
import { errorText } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from './pod-container-manager.ts';

/**
 * Sets the CPU weight of each QoS class from its pods. As in upstream, a failure is logged and not thrown. Emits
 * `cgroups.updateQOS`.
 */
export async function updateQOSCgroups(
  ctx: Context,
  podContainers: PodContainerManager,
  activePods: readonly Pod[],
): Promise<void> {
  if (!podContainers.enabled) return;
  const facts = { pods: activePods.length };
  try {
    const weights = await podContainers.updateQOSCgroups(activePods);
    ctx.tracer.decide(ctx, 'cgroups.updateQOS', { ...facts, ...weights }, 'updated', false);
  } catch (error) {
    const text = errorText(error);
    ctx.tracer.decide(ctx, 'cgroups.updateQOS', facts, `failed: ${text}`);
    const message = `Failed to update QoS cgroups: ${text}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}
