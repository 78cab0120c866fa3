/** Types of SyncPod's steps and of the state that the steps of one sync share. */
import type { PodSandboxConfig } from '@podscope/cri';
import type { Pod, Secret } from '@podscope/k8s';
import type { Attributes, Context, Point } from '@podscope/trace';
import type { PodActions } from '../compute-pod-actions/pod-actions.ts';
import type { Backoff } from '../flowcontrol/backoff.ts';
import type { PodStatus } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import type { ImageVolume } from './image-volumes.ts';
import type { PodSyncResult } from './sync-result.ts';

/** The state of one sync. */
export interface PodSync {
  readonly dependencies: RuntimeDependencies;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly backOff: Backoff;
  readonly restartAllContainers: boolean;
  readonly result: PodSyncResult;
  /** Computed by the first step. */
  actions: PodActions;
  podIPs: readonly string[];
  sandboxID: string;
  /** True if a step ended the sync without an error. */
  isOver: boolean;
  /** The configuration that containers are created with. Set before the first one starts. */
  sandboxConfig: PodSandboxConfig | undefined;
  imageVolumes: ReadonlyMap<string, ImageVolume>;
}

type Work = (ctx: Context, sync: PodSync) => Promise<void> | void;

/** The work of a step and its condition. */
export interface StepAction {
  /** Returns false if the step isn't needed in this sync. */
  readonly applies: (sync: PodSync) => boolean;
  readonly attributes?: (sync: PodSync) => Attributes;
  /** @throws SyncStopped to end the sync */
  readonly run: Work;
  /** Work between this step and the next one. It runs even if this step isn't needed. */
  readonly after?: readonly Work[];
}

/** A numbered step of SyncPod. */
export interface SyncStep extends StepAction {
  readonly point: Point;
}

/** Ends the sync. The cause is in the result of the sync. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly reason: string;

  /** @param reason the name of the error that stopped it */
  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message === '' ? reason : message, options);
    this.reason = reason;
  }
}
