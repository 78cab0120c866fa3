/**
 * Updates the cgroups of the QoS classes and logs a failure. Upstream: the calls of containerManager.UpdateQOSCgroups,
 * qosContainerManagerImpl.Start (v1.36, v1.20).
 */
import { errorText } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import type { Context, Milliseconds } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { PodContainerManager } from './pod-container-manager.ts';

/** Upstream: periodicQOSCgroupUpdateInterval (v1.36, v1.20). */
const updatePeriod: Milliseconds = 60_000;

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
    const { weights } = await podContainers.updateQOSCgroups(activePods);
    ctx.tracer.decide(ctx, 'cgroups.updateQOS', { ...facts, ...weights }, 'updated', false);
  } catch (error) {
    const text = errorText(error);
    ctx.tracer.decide(ctx, 'cgroups.updateQOS', facts, `failed: ${text}`);
    const message = `Failed to update QoS cgroups: ${text}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}

/**
 * Updates the cgroups at once and then every minute until the context is aborted. Emits `cgroups.updateQOS` only if a
 * weight changes or an update fails. Upstream: the goroutine of qosContainerManagerImpl.Start (v1.36, v1.20).
 */
export async function qosCgroupLoop(
  ctx: Context,
  podContainers: PodContainerManager,
  activePods: () => readonly Pod[],
): Promise<void> {
  if (!podContainers.enabled) return;
  do {
    const pods = activePods();
    const facts = { pods: pods.length };
    try {
      const { weights, changed } = await podContainers.updateQOSCgroups(pods);
      if (changed) ctx.tracer.decide(ctx, 'cgroups.updateQOS', { ...facts, ...weights }, 'updated', false);
    } catch (error) {
      const text = errorText(error);
      ctx.tracer.decide(ctx, 'cgroups.updateQOS', facts, `failed: ${text}`);
      const message = `Failed to reserve QoS requests: ${text}`;
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    }
  } while (await pause(ctx, updatePeriod));
}
