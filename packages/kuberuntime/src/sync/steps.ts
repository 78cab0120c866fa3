/** What the steps of SyncPod do. Upstream: kuberuntime_manager.go SyncPod (v1.36 and v1.20). */
import { type Container, isRestartableInitContainer } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { removeContainer } from '../container/remove-container.ts';
import { pruneInitContainersBeforeStart, purgeInitContainers } from '../container/remove-init-containers.ts';
import { killContainer } from '../kill/kill-container.ts';
import { killPodWithSyncResult } from '../kill/kill-pod.ts';
import { doPodResizeAction } from '../resize/do-pod-resize-action.ts';
import { convertPodStatusToRunningPod, formatPod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { CreateSandboxError, createPodSandbox } from '../sandbox/create-pod-sandbox.ts';
import { generatePodSandboxConfig } from '../sandbox/sandbox-config.ts';
import { determinePodSandboxIPs } from '../status/pod-ips.ts';
import { SyncError, type SyncResult } from '../sync-result.ts';
import { errorText } from '../util/errors.ts';
import { start } from './start.ts';
import { type PodSync, SyncStopped } from './step.ts';
import { tellSyncResult } from './tell-sync-result.ts';

/** Does something for a result; fails it, tells of it and stops the sync when that throws. */
async function forResult(ctx: Context, result: SyncResult, name: string, work: () => Promise<void>): Promise<void> {
  const begun = ctx.clock.now();
  try {
    await work();
  } catch (error) {
    const message = errorText(error);
    result.fail(new SyncError(name, { cause: error }), message);
    throw new SyncStopped(name, message, { cause: error });
  } finally {
    tellSyncResult(ctx, result, begun);
  }
}

/** Step 1. */
export function computeChanges(ctx: Context, sync: PodSync): void {
  const { parts, pod, podStatus, restartAllContainers } = sync;
  const { profile, gates, liveness, startup, actuated, recorder } = parts;
  const env = { gates, liveness, startup, actuated, hashContainer: profile.hashContainer };
  const actions = profile.computePodActions(ctx, env, pod, podStatus, restartAllContainers);
  sync.actions = actions;
  sync.sandboxID = actions.sandboxID;
  if (actions.createSandbox && actions.sandboxID !== '') {
    recorder.event(ctx, pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
  }
}

/** Step 2. */
export async function killPod(ctx: Context, sync: PodSync): Promise<void> {
  const { parts, pod, podStatus, result } = sync;
  const killed = await killPodWithSyncResult(ctx, parts, pod, convertPodStatusToRunningPod(parts.runtimeName, podStatus), undefined);
  result.merge(killed);
  const error = killed.error();
  if (error) throw new SyncStopped('KillPodError', error.message, { cause: error });
  if (sync.actions.createSandbox) await purgeInitContainers(ctx, parts, pod, podStatus);
}

/** Step 3. */
export async function killContainers(ctx: Context, sync: PodSync): Promise<void> {
  const { parts, pod, result, actions } = sync;
  for (const { id, name, message, reason } of actions.containersToKill.values()) {
    const killed = result.add('KillContainer', name);
    await forResult(ctx, killed, 'KillContainerError', () => killContainer(ctx, parts, { pod, id, name, message, reason }));
  }
  await resetContainers(ctx, sync);
}

/** Removes all containers so that all start anew; their logs stay. */
async function resetContainers(ctx: Context, { parts, pod, result, actions }: PodSync): Promise<void> {
  for (const { id, container, kill } of actions.containersToReset) {
    const { name } = container;
    const removed = result.add('RemoveContainer', name);
    if (kill) {
      const request = { pod, id, name, message: 'killing', reason: 'RestartAllContainers', gracePeriodOverride: 0 } as const;
      await forResult(ctx, removed, 'KillContainerError', () => killContainer(ctx, parts, request));
    }
    await forResult(ctx, removed, 'RemoveContainerError', () => removeContainer(ctx, parts, id.id, true));
  }
}

/** Between the steps: of the init containers that ended, only the newest instances stay. */
export const pruneInitContainers = (ctx: Context, { parts, pod, podStatus }: PodSync): Promise<void> =>
  pruneInitContainersBeforeStart(ctx, parts, pod, podStatus);

/** Step 4. */
export async function createSandbox(ctx: Context, sync: PodSync): Promise<void> {
  const { parts, pod, actions, result } = sync;
  const { recorder, helper } = parts;
  const created = result.add('CreatePodSandbox', formatPod(pod));
  const begun = ctx.clock.now();
  try {
    sync.sandboxID = await createPodSandbox(ctx, parts, pod, actions.attempt);
  } catch (error) {
    // Who is being deleted needs no sandbox any more, so that its failure is none.
    if (parts.profile.ignoresSandboxOfTerminatingPod && helper.isPodTerminationRequested(pod.metadata.uid)) {
      throw new SyncStopped('PodTerminating', 'the pod is to be deleted: its sandbox is not needed any more', { cause: error });
    }
    created.fail(new SyncError('CreatePodSandboxError', { cause: error }), errorText(error));
    const cause = error instanceof CreateSandboxError ? error.cause : error;
    recorder.event(ctx, pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${errorText(cause)}`);
    throw new SyncStopped('CreatePodSandboxError', errorText(error), { cause: error });
  } finally {
    tellSyncResult(ctx, created, begun);
  }
  try {
    const { status } = await podSandboxStatus(ctx, sync);
    if (!status) throw new Error('pod sandbox status is nil');
    if (!pod.spec.hostNetwork) sync.podIPs = determinePodSandboxIPs(ctx, status);
  } catch (error) {
    result.syncError = new Error(errorText(error), { cause: error });
    throw new SyncStopped('PodSandboxStatusError', errorText(error), { cause: error });
  }
}

/** An answer without a status is as bad as none, but only a call that failed makes an event. */
async function podSandboxStatus(ctx: Context, { parts, pod, sandboxID }: PodSync): ReturnType<RuntimeParts['runtime']['podSandboxStatus']> {
  try {
    return await parts.runtime.podSandboxStatus(ctx, { podSandboxId: sandboxID });
  } catch (error) {
    parts.recorder.event(ctx, pod, 'Warning', 'FailedPodSandBoxStatus', `Unable to get pod sandbox status: ${errorText(error)}`);
    throw error;
  }
}

/** Step 5 (v1.36). A failure is the kubelet's own matter. */
export async function onPodSandboxReady(ctx: Context, { parts, pod }: PodSync): Promise<void> {
  try {
    await parts.helper.onPodSandboxReady(ctx, pod);
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `OnPodSandboxReady: ${errorText(error)}` });
  }
}

/** Between the steps: the configuration that containers are created with. */
export async function prepareSandboxConfigV136(ctx: Context, sync: PodSync): Promise<void> {
  const { parts, pod, actions, result } = sync;
  try {
    sync.sandboxConfig = await generatePodSandboxConfig(ctx, parts, pod, actions.attempt);
  } catch (error) {
    const message = `GeneratePodSandboxConfig for pod "${formatPod(pod)}" failed: ${errorText(error)}`;
    result.syncError = new Error(message, { cause: error });
    throw new SyncStopped('ConfigPodSandboxError', message, { cause: error });
  }
}

/** The same with a result of its own. */
export async function prepareSandboxConfigV120(ctx: Context, sync: PodSync): Promise<void> {
  const { parts, pod, actions, result } = sync;
  const configured = result.add('ConfigPodSandbox', sync.sandboxID);
  const begun = ctx.clock.now();
  try {
    sync.sandboxConfig = await generatePodSandboxConfig(ctx, parts, pod, actions.attempt);
  } catch (error) {
    const message = `GeneratePodSandboxConfig for pod "${formatPod(pod)}" failed: ${errorText(error)}`;
    configured.fail(new SyncError('ConfigPodSandboxError', { cause: error }), message);
    throw new SyncStopped('ConfigPodSandboxError', message, { cause: error });
  } finally {
    tellSyncResult(ctx, configured, begun);
  }
}

/** Starts containers in order; who fails does not hold up the others. */
async function startAll(ctx: Context, sync: PodSync, containers: readonly Container[] | undefined, indices: readonly number[]): Promise<void> {
  for (const index of indices) {
    const container = containers?.[index];
    if (container) await start(ctx, sync, container);
  }
}

export const startEphemeralContainers = (ctx: Context, sync: PodSync): Promise<void> =>
  startAll(ctx, sync, sync.pod.spec.ephemeralContainers, sync.actions.ephemeralContainersToStart);

export const startContainers = (ctx: Context, sync: PodSync): Promise<void> => startAll(ctx, sync, sync.pod.spec.containers, sync.actions.containersToStart);

/** Step 7 of v1.36: sidecars that fail are passed over, a failed init container ends the sync. */
export async function startInitContainers(ctx: Context, sync: PodSync): Promise<void> {
  for (const index of sync.actions.initContainersToStart) {
    const container = sync.pod.spec.initContainers?.[index];
    if (!container) continue;
    const failure = await start(ctx, sync, container);
    if (failure && !isRestartableInitContainer(container)) throw new SyncStopped(failure.reason, failure.message, { cause: failure });
  }
}

/** Step 6 of v1.20. */
export async function startNextInitContainer(ctx: Context, sync: PodSync): Promise<void> {
  const container = sync.actions.nextInitContainerToStart;
  const failure = container && (await start(ctx, sync, container));
  if (failure) throw new SyncStopped(failure.reason, failure.message, { cause: failure });
}

/** Step 8 (v1.36). A failed resize does not hold up the containers that must start. */
export async function resizePod(ctx: Context, { parts, pod, actions, result }: PodSync): Promise<void> {
  const resized = result.add('ResizePodInPlace', formatPod(pod));
  const begun = ctx.clock.now();
  try {
    await doPodResizeAction(ctx, parts, pod, actions);
  } catch (error) {
    resized.fail(new SyncError('ResizePodInPlaceError', { cause: error }), errorText(error));
  } finally {
    tellSyncResult(ctx, resized, begun);
  }
}
