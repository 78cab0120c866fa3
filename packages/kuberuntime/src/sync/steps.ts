/** Implements the steps of SyncPod. Upstream: kuberuntime_manager.go SyncPod (v1.36 and v1.20). */
import { errorText } from '@podscope/base';
import type { PodSandboxStatus } from '@podscope/cri';
import { type Container, isRestartableInitContainer } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { removeContainer } from '../container/remove-container.ts';
import { pruneInitContainersBeforeStart, purgeInitContainers } from '../container/remove-init-containers.ts';
import { killContainer } from '../kill/kill-container.ts';
import { killPodWithSyncResult } from '../kill/kill-pod.ts';
import { doPodResizeAction } from '../resize/do-pod-resize-action.ts';
import { convertPodStatusToRunningPod, formatPod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { type PodSync } from '../runtime-dependencies.ts';
import { CreateSandboxError, createPodSandbox } from '../sandbox/create-pod-sandbox.ts';
import { generatePodSandboxConfig } from '../sandbox/sandbox-config.ts';
import { determinePodSandboxIPs } from '../status/pod-ips.ts';
import { reportSyncResult } from './report-sync-result.ts';
import { start } from './start.ts';
import { SyncError, type SyncResult } from './sync-result.ts';
import { SyncStopped } from './sync-stopped.ts';

/**
 * Runs `work` and reports its result.
 * @throws SyncStopped when `work` throws
 */
async function forResult(ctx: Context, result: SyncResult, name: string, work: () => Promise<void>): Promise<void> {
  const begun = ctx.clock.now();
  try {
    await work();
  } catch (error) {
    const message = errorText(error);
    result.fail(new SyncError(name, { cause: error }), message);
    throw new SyncStopped(name, message, { cause: error });
  } finally {
    reportSyncResult(ctx, result, begun);
  }
}

/** Computes the actions of the sync. */
export function computeChanges(ctx: Context, sync: PodSync): void {
  const { dependencies, pod, podStatus, restartAllContainers } = sync;
  const { profile, gates, liveness, startup, actuated, recorder } = dependencies;
  const env = { gates, liveness, startup, actuated, hashContainer: profile.hashContainer };
  const actions = profile.computePodActions(ctx, env, pod, podStatus, restartAllContainers);
  sync.actions = actions;
  sync.sandboxID = actions.sandboxID;
  if (actions.createSandbox && actions.sandboxID !== '') {
    recorder.event(ctx, pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
  }
}

/** Kills the pod if its sandbox must be replaced or no container is left to run. */
export async function killPod(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, podStatus, result } = sync;
  const killed = await killPodWithSyncResult(
    ctx,
    dependencies,
    pod,
    convertPodStatusToRunningPod(dependencies.runtimeName, podStatus),
    undefined,
  );
  result.merge(killed);
  const error = killed.error();
  if (error) throw new SyncStopped('KillPodError', error.message, { cause: error });
  if (sync.actions.createSandbox) await purgeInitContainers(ctx, dependencies, pod, podStatus);
}

/** Kills containers that must not keep running. */
export async function killContainers(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, result, actions } = sync;
  for (const { id, name, message, reason } of actions.containersToKill.values()) {
    const killed = result.add('KillContainer', name);
    await forResult(ctx, killed, 'KillContainerError', () =>
      killContainer(ctx, dependencies, { pod, id, name, message, reason }),
    );
  }
  await resetContainers(ctx, sync);
}

/** Removes all containers so that they start again. Keeps their logs. */
async function resetContainers(ctx: Context, { dependencies, pod, result, actions }: PodSync): Promise<void> {
  for (const { id, container, kill } of actions.containersToReset) {
    const { name } = container;
    const removed = result.add('RemoveContainer', name);
    if (kill) {
      const request = {
        pod,
        id,
        name,
        message: 'killing',
        reason: 'RestartAllContainers',
        gracePeriodOverride: 0,
      } as const;
      await forResult(ctx, removed, 'KillContainerError', () => killContainer(ctx, dependencies, request));
    }
    await forResult(ctx, removed, 'RemoveContainerError', () => removeContainer(ctx, dependencies, id.id, true));
  }
}

/** Removes all finished instances of each init container except the newest one. Runs after killContainers. */
export const pruneInitContainers = (ctx: Context, { dependencies, pod, podStatus }: PodSync): Promise<void> =>
  pruneInitContainersBeforeStart(ctx, dependencies, pod, podStatus);

/** Creates the sandbox. */
export async function createSandbox(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, actions, result } = sync;
  const { recorder, helper } = dependencies;
  const created = result.add('CreatePodSandbox', formatPod(pod));
  const begun = ctx.clock.now();
  try {
    sync.sandboxID = await createPodSandbox(ctx, dependencies, pod, actions.attempt);
  } catch (error) {
    // A terminating pod needs no sandbox, so the step doesn't fail. v1.20 reports the error nevertheless.
    const isTerminating = helper.isPodTerminationRequested(pod.metadata.uid);
    const isReported = dependencies.profile.reportsSandboxOfTerminatingPod;
    if (isTerminating) {
      const outcome = `end the sync ${isReported ? 'with' : 'without'} an error: the pod is terminating`;
      ctx.tracer.decide(ctx, 'createPodSandbox.podTerminating', { error: errorText(error) }, outcome);
      sync.isOver = true;
      if (!isReported) return;
    }
    created.fail(new SyncError('CreatePodSandboxError', { cause: error }), errorText(error));
    const cause = error instanceof CreateSandboxError ? error.cause : error;
    recorder.event(ctx, pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${errorText(cause)}`);
    if (isTerminating) return;
    throw new SyncStopped('CreatePodSandboxError', errorText(error), { cause: error });
  } finally {
    reportSyncResult(ctx, created, begun);
  }
  try {
    const { status } = await podSandboxStatus(ctx, sync);
    if (!status) throw new Error('pod sandbox status is nil');
    decidePodIPs(ctx, sync, status);
  } catch (error) {
    result.syncError = new Error(errorText(error), { cause: error });
    throw new SyncStopped('PodSandboxStatusError', errorText(error), { cause: error });
  }
}

/**
 * Stores the pod's addresses in the sync, for its containers. A pod on the host network has the addresses of the node.
 */
function decidePodIPs(ctx: Context, sync: PodSync, status: PodSandboxStatus): void {
  const hostNetwork = sync.pod.spec.hostNetwork === true;
  if (!hostNetwork) sync.podIPs = determinePodSandboxIPs(ctx, status);
  const facts = { podSandboxId: status.id, hostNetwork, network: status.network };
  const outcome = hostNetwork ? "the node's addresses" : sync.podIPs.join(', ') || 'none';
  ctx.tracer.decide(ctx, 'determinePodSandboxIPs', facts, outcome, false);
}

/** Returns the status of the sandbox. A failed call emits an event. A response without a status emits no event. */
async function podSandboxStatus(
  ctx: Context,
  { dependencies, pod, sandboxID }: PodSync,
): ReturnType<RuntimeDependencies['runtime']['podSandboxStatus']> {
  try {
    return await dependencies.runtime.podSandboxStatus(ctx, { podSandboxId: sandboxID });
  } catch (error) {
    dependencies.recorder.event(
      ctx,
      pod,
      'Warning',
      'FailedPodSandBoxStatus',
      `Unable to get pod sandbox status: ${errorText(error)}`,
    );
    throw error;
  }
}

/**
 * Notifies the kubelet that the sandbox is ready (v1.36). If that fails, the error is logged and the sync continues.
 */
export async function onPodSandboxReady(ctx: Context, { dependencies, pod }: PodSync): Promise<void> {
  try {
    await dependencies.helper.onPodSandboxReady(ctx, pod);
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `OnPodSandboxReady: ${errorText(error)}` });
  }
}

/** Generates the sandbox configuration with which containers are created. Runs after onPodSandboxReady. */
export async function prepareSandboxConfigV136(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, actions, result } = sync;
  try {
    sync.sandboxConfig = await generatePodSandboxConfig(ctx, dependencies, pod, actions.attempt);
  } catch (error) {
    const message = `GeneratePodSandboxConfig for pod "${formatPod(pod)}" failed: ${errorText(error)}`;
    result.syncError = new Error(message, { cause: error });
    throw new SyncStopped('ConfigPodSandboxError', message, { cause: error });
  }
}

/** Starts containers in order. A failed start doesn't prevent later ones. */
async function startAll(
  ctx: Context,
  sync: PodSync,
  containers: readonly Container[] | undefined,
  indices: readonly number[],
): Promise<void> {
  for (const index of indices) {
    const container = containers?.[index];
    if (container) await start(ctx, sync, container);
  }
}

export const startEphemeralContainers = (ctx: Context, sync: PodSync): Promise<void> =>
  startAll(ctx, sync, sync.pod.spec.ephemeralContainers, sync.actions.ephemeralContainersToStart);

export const startContainers = (ctx: Context, sync: PodSync): Promise<void> =>
  startAll(ctx, sync, sync.pod.spec.containers, sync.actions.containersToStart);

/**
 * Starts the init containers in `initContainersToStart` (v1.36). If a sidecar fails, the others are still started; if
 * an init container fails, the sync ends.
 */
export async function startInitContainers(ctx: Context, sync: PodSync): Promise<void> {
  for (const index of sync.actions.initContainersToStart) {
    const container = sync.pod.spec.initContainers?.[index];
    if (!container) continue;
    const failure = await start(ctx, sync, container);
    if (failure && !isRestartableInitContainer(container))
      throw new SyncStopped(failure.reason, failure.message, { cause: failure });
  }
}

/** Resizes the pod in place (v1.36). If that fails, containers are still started. */
export async function resizePod(ctx: Context, { dependencies, pod, actions, result }: PodSync): Promise<void> {
  const resized = result.add('ResizePodInPlace', formatPod(pod));
  const begun = ctx.clock.now();
  try {
    await doPodResizeAction(ctx, dependencies, pod, actions);
  } catch (error) {
    resized.fail(new SyncError('ResizePodInPlaceError', { cause: error }), errorText(error));
  } finally {
    reportSyncResult(ctx, resized, begun);
  }
}
