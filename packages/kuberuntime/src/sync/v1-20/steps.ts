/** Implements the steps of SyncPod that only v1.20 has. Upstream: kuberuntime_manager.go SyncPod (v1.20). */
import { errorText } from '@podscope/base';
import { syncPodPointsV120 } from '@podscope/flow';
import type { Context } from '@podscope/trace';
import { formatPod } from '../../runtime.ts';
import { type PodSync, type StepAction } from '../../runtime-dependencies.ts';
import { generatePodSandboxConfig } from '../../sandbox/sandbox-config.ts';
import { reportSyncResult } from '../report-sync-result.ts';
import { start } from '../start.ts';
import { common, steps } from '../step-lists.ts';
import { SyncError } from '../sync-result.ts';
import { SyncStopped } from '../sync-stopped.ts';

/**
 * Generates the sandbox configuration with which containers are created, and reports a sync result. Runs after
 * createPodSandbox.
 */
async function prepareSandboxConfigV120(ctx: Context, sync: PodSync): Promise<void> {
  const { dependencies, pod, actions, result } = sync;
  const configured = result.add('ConfigPodSandbox', sync.sandboxID);
  const begun = ctx.clock.now();
  try {
    sync.sandboxConfig = await generatePodSandboxConfig(ctx, dependencies, pod, actions.attempt);
  } catch (error) {
    const message = `GeneratePodSandboxConfig for pod "${formatPod(pod)}" failed: ${errorText(error)}`;
    configured.fail(new SyncError('ConfigPodSandboxError', { cause: error }), message);
    throw new SyncStopped('ConfigPodSandboxError', message, { cause: error });
  } finally {
    reportSyncResult(ctx, configured, begun);
  }
}

/** Starts the next init container (v1.20). A failure ends the sync. */
async function startNextInitContainer(ctx: Context, sync: PodSync): Promise<void> {
  const container = sync.actions.nextInitContainerToStart;
  const failure = container && (await start(ctx, sync, container));
  if (failure) throw new SyncStopped(failure.reason, failure.message, { cause: failure });
}

const startsNextInit = ({ actions }: PodSync): boolean => actions.nextInitContainerToStart !== undefined;

const actionsV120: Readonly<Record<keyof typeof syncPodPointsV120, StepAction>> = {
  ...common,
  createPodSandbox: { ...common.createPodSandbox, after: [prepareSandboxConfigV120] },
  startInitContainers: { applies: startsNextInit, run: startNextInitContainer },
};

export const syncStepsV120 = steps('v1.20', syncPodPointsV120, actionsV120);
