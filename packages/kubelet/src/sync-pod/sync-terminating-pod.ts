/** Stops a pod and records how it ended. Upstream: Kubelet.SyncTerminatingPod, SyncTerminatingRuntimePod (v1.36). */
import { errorText } from '@podscope/base';
import { kubeletPoints, syncTerminatingPodPoints as steps } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus, type RuntimePod } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import { updateQOSCgroups } from '../cgroups/update-qos-cgroups.ts';
import type { PodStatusFunction } from '../pod-workers/types.ts';
import { podCgroup } from './common-steps.ts';
import { type SyncPodDependencies, withRunSignal } from './dependencies.ts';

/**
 * Kills the pod's containers and sandboxes, and records the final status.
 * @throws Error when a container may still run; the worker then retries
 */
export function syncTerminatingPod(
  syncCtx: Context,
  dependencies: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
  gracePeriodSeconds: number | undefined,
  podStatusFunction: PodStatusFunction | undefined,
): Promise<void> {
  // If a request shortens the grace period during this sync, the next sync applies it. This sync isn't interrupted.
  const ctx = withRunSignal(syncCtx, dependencies);
  const { statusManager, probeManager } = dependencies;
  const body = async (inner: SpanContext): Promise<void> => {
    await inner.tracer.span(inner, steps.generateAPIPodStatus, { podStatus }, async (step) => {
      const cgroup = await podCgroup(step, dependencies, pod);
      const generated = dependencies.generateStatus(step, pod, podStatus, false, cgroup);
      const status = podStatusFunction ? podStatusFunction(generated) : generated;
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
    probeManager.stopLivenessAndStartup(pod);
    await killPod(
      inner,
      dependencies,
      pod,
      convertPodStatusToRunningPod(dependencies.runtime.type, podStatus),
      gracePeriodSeconds,
    );
    probeManager.removePod(pod.metadata.uid);
    const stopped = await verifyStopped(inner, dependencies, pod, podStatus);
    await inner.tracer.span(inner, steps.finalStatus, { podStatus: stopped }, async (step) => {
      const cgroup = await podCgroup(step, dependencies, pod);
      const status = dependencies.generateStatus(step, pod, stopped, true, cgroup);
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
  };
  const exposures = { pod: () => pod, podStatus: () => podStatus };
  return ctx.tracer.span(ctx, kubeletPoints.syncTerminatingPod, { gracePeriodSeconds }, body, exposures);
}

function killPod(
  ctx: Context,
  { runtime, recorder, podContainers, activePods }: SyncPodDependencies,
  pod: Pod,
  running: RuntimePod,
  gracePeriodSeconds: number | undefined,
): Promise<void> {
  const facts = { gracePeriodSeconds, containers: running.containers.map(({ name }) => name) };
  return ctx.tracer.span(ctx, steps.killPod, facts, async (step) => {
    try {
      await runtime.killPod(step, pod, running, gracePeriodSeconds);
      await updateQOSCgroups(step, podContainers, activePods());
    } catch (error) {
      recorder.event(step, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
      throw new Error(`error killing terminating pod: ${errorText(error)}`, { cause: error });
    }
  });
}

/**
 * Reads the pod from the runtime instead of the cache.
 * @throws Error when a container still runs
 */
function verifyStopped(
  ctx: Context,
  { runtime }: SyncPodDependencies,
  pod: Pod,
  before: PodStatus,
): Promise<PodStatus> {
  return ctx.tracer.span(ctx, steps.verifyStopped, {}, async (step) => {
    const { uid, name, namespace = '' } = pod.metadata;
    const found = await runtime.getPod(step, uid).catch((error: unknown) => {
      throw new Error(`unable to get pod prior to final pod termination: ${errorText(error)}`, { cause: error });
    });
    const none = { id: uid, name, namespace, createdAt: before.timestamp, containers: [], sandboxes: [] };
    const status = await runtime.getPodStatus(step, found ?? none).catch((error: unknown) => {
      throw new Error(`unable to read pod status prior to final pod termination: ${errorText(error)}`, {
        cause: error,
      });
    });
    const running = status.containerStatuses
      .filter(({ state }) => state === 'running')
      .map(({ id }) => `${id.type}://${id.id}`);
    if (running.length > 0) {
      throw new Error(
        `detected running containers after a successful KillPod, CRI violation: [${running.toSorted().join(' ')}]`,
      );
    }
    return { ...status, ips: before.ips };
  });
}

/**
 * Kills a pod that only the runtime knows.
 * @throws Error when a container may still run
 */
export function syncTerminatingRuntimePod(
  syncCtx: Context,
  dependencies: SyncPodDependencies,
  running: RuntimePod,
): Promise<void> {
  const ctx = withRunSignal(syncCtx, dependencies);
  return ctx.tracer.span(
    ctx,
    kubeletPoints.syncTerminatingRuntimePod,
    { pod: running.name, namespace: running.namespace },
    async (inner) => {
      const pod: Pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: running.name, namespace: running.namespace, uid: running.id },
        spec: { containers: running.containers.map(({ name, image }) => ({ name, image })) },
      };
      try {
        await dependencies.runtime.killPod(inner, pod, running, 1);
        await updateQOSCgroups(inner, dependencies.podContainers, dependencies.activePods());
      } catch (error) {
        dependencies.recorder.event(inner, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
        throw error;
      }
    },
  );
}
