/** A numbered step of SyncPod, and what the steps of one sync share. */
import type { PodSandboxConfig } from '@podscope/cri';
import type { Pod, Secret } from '@podscope/k8s';
import type { Attributes, Context, Point } from '@podscope/trace';
import type { PodActions } from '../compute-pod-actions/pod-actions.ts';
import type { Backoff } from '../flowcontrol/backoff.ts';
import type { PodStatus } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import type { PodSyncResult } from '../sync-result.ts';
import type { ImageVolume } from './image-volumes.ts';

/** One sync under way. */
export interface PodSync {
  readonly parts: RuntimeParts;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly backOff: Backoff;
  readonly restartAllContainers: boolean;
  readonly result: PodSyncResult;
  /** Set by the first step. */
  actions: PodActions;
  podIPs: readonly string[];
  sandboxID: string;
  /** For the containers; set before the first is started. */
  sandboxConfig: PodSandboxConfig | undefined;
  imageVolumes: ReadonlyMap<string, ImageVolume>;
}

/** A step: its point, when there is something to do, and doing it. A step that throws {@link SyncStopped} ends the sync. */
export interface SyncStep {
  readonly point: Point;
  readonly applies: (sync: PodSync) => boolean;
  readonly attributes?: (sync: PodSync) => Attributes;
  readonly run: (ctx: Context, sync: PodSync) => Promise<void> | void;
}

/** What happens between steps, under no number of its own. */
export interface SyncPart {
  readonly point?: undefined;
  readonly run: (ctx: Context, sync: PodSync) => Promise<void> | void;
}

/** The sync goes no further; why is in its result. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly reason: string;

  /** @param reason the name of the error that stopped it */
  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message === '' ? reason : message, options);
    this.reason = reason;
  }
}
