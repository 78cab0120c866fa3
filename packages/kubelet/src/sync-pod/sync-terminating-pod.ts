/** Stops a pod, and keeps how it ended. Upstream: Kubelet.SyncTerminatingPod, SyncTerminatingRuntimePod (v1.36). */
import type { Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus, type RuntimePod } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import type { PodStatusFunction } from '../pod-workers/types.ts';
import { podWorkerPoints, syncTerminatingPodSteps as steps } from '../points.ts';
import { errorText } from '../util/error-text.ts';
import { type PodSyncParts, untilTheEnd } from './parts.ts';

/**
 * Kills everything of the pod and records the final status.
 * @throws Error when something may still run; the worker tries again.
 */
export function syncTerminatingPod(
  parts: PodSyncParts,
  passCtx: Context,
  pod: Pod,
  podStatus: PodStatus,
  gracePeriodSeconds: number | undefined,
  podStatusFunction: PodStatusFunction | undefined,
): Promise<void> {
  // A shorter grace period takes effect in the next pass; this one is not interrupted.
  const ctx = untilTheEnd(parts, passCtx);
  const { statusManager, probeManager } = parts;
  const body = async (inner: SpanContext): Promise<void> => {
    await inner.tracer.span(inner, steps.generateAPIPodStatus, { podStatus }, (step) => {
      const generated = parts.generateStatus(step, pod, podStatus, false);
      const status = podStatusFunction ? podStatusFunction(generated) : generated;
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
    probeManager.stopLivenessAndStartup(pod);
    await killPod(parts, inner, pod, convertPodStatusToRunningPod(parts.runtime.type, podStatus), gracePeriodSeconds);
    probeManager.removePod(pod.metadata.uid);
    const stopped = await verifyStopped(parts, inner, pod, podStatus);
    await inner.tracer.span(inner, steps.finalStatus, { podStatus: stopped }, (step) => {
      const status = parts.generateStatus(step, pod, stopped, true);
      step.span.set({ status });
      statusManager.setPodStatus(step, pod, status);
    });
  };
  const exposures = { pod: () => pod, podStatus: () => podStatus };
  return ctx.tracer.span(ctx, podWorkerPoints.syncTerminatingPod, { gracePeriodSeconds }, body, exposures);
}

function killPod({ runtime, deps }: PodSyncParts, ctx: Context, pod: Pod, running: RuntimePod, gracePeriodSeconds: number | undefined): Promise<void> {
  const facts = { gracePeriodSeconds, containers: running.containers.map(({ name }) => name) };
  return ctx.tracer.span(ctx, steps.killPod, facts, async (step) => {
    try {
      await runtime.killPod(step, pod, running, gracePeriodSeconds);
    } catch (error) {
      deps.recorder.event(step, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
      throw new Error(`error killing terminating pod: ${errorText(error)}`, { cause: error });
    }
  });
}

/** Reads the pod from the runtime, past the cache. */
function verifyStopped({ runtime }: PodSyncParts, ctx: Context, pod: Pod, before: PodStatus): Promise<PodStatus> {
  return ctx.tracer.span(ctx, steps.verifyStopped, {}, async (step) => {
    const { uid, name, namespace = '' } = pod.metadata;
    const listed = await runtime.getPods(step, true).catch((error: unknown) => {
      throw new Error(`unable to get pod prior to final pod termination: ${errorText(error)}`, { cause: error });
    });
    const found = listed.find(({ id }) => id === uid) ?? { id: uid, name, namespace, createdAt: before.timestamp, containers: [], sandboxes: [] };
    const status = await runtime.getPodStatus(step, found).catch((error: unknown) => {
      throw new Error(`unable to read pod status prior to final pod termination: ${errorText(error)}`, { cause: error });
    });
    const running = status.containerStatuses.filter(({ state }) => state === 'running').map(({ id }) => `${id.type}://${id.id}`);
    if (running.length > 0) {
      throw new Error(`detected running containers after a successful KillPod, CRI violation: [${running.toSorted().join(' ')}]`);
    }
    return { ...status, ips: before.ips };
  });
}

/**
 * Kills a pod that only the runtime knows.
 * @throws Error when something may still run.
 */
export function syncTerminatingRuntimePod(parts: PodSyncParts, passCtx: Context, running: RuntimePod): Promise<void> {
  const ctx = untilTheEnd(parts, passCtx);
  return ctx.tracer.span(ctx, podWorkerPoints.syncTerminatingRuntimePod, { pod: running.name, namespace: running.namespace }, async (inner) => {
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: running.name, namespace: running.namespace, uid: running.id },
      spec: { containers: running.containers.map(({ name, image }) => ({ name, image })) },
    };
    try {
      await parts.runtime.killPod(inner, pod, running, 1);
    } catch (error) {
      parts.deps.recorder.event(inner, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
      throw error;
    }
  });
}
