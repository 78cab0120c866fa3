/** The generic runtime manager: the kubelet's way to a container runtime. Upstream: kubeGenericRuntimeManager (v1.36 and v1.20). */
import { type ContainerRuntime, instrumentImageService, instrumentRuntimeService } from '@podscope/cri';
import type { Container, Pod, Secret } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { removeContainer } from './container/remove-container.ts';
import type { Backoff } from './flowcontrol/backoff.ts';
import { runtimeGates } from './gates.ts';
import { garbageCollect } from './gc/garbage-collect.ts';
import { ImageManager } from './images/image-manager.ts';
import type { ImagePullOptions } from './images/puller.ts';
import { killPodWithSyncResult } from './kill/kill-pod.ts';
import type { HookHttpClient } from './lifecycle/hooks.ts';
import { kuberuntimePoints } from './points.ts';
import type { Profile } from './profiles/profile.ts';
import { profileV136 } from './profiles/v1-36.ts';
import { ActuatedResources, isPodResizeInProgress } from './resize/actuated-resources.ts';
import type { PodCgroups } from './resize/pod-cgroups.ts';
import type {
  ActuatedContainer,
  ContainerID,
  EventRecorder,
  GCPolicy,
  OSInterface,
  PodStateProvider,
  PodStatus,
  ProbeResults,
  Runtime,
  RuntimeHelper,
  RuntimePod,
} from './runtime.ts';
import type { RuntimeNode } from './runtime-node.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { getPods } from './status/get-pods.ts';
import { syncPod } from './sync-pod.ts';
import type { PodSyncResult } from './sync-result.ts';

/** What the runtime manager is handed. */
export interface RuntimeManagerDependencies {
  /** As it is: the manager makes spans of its calls. */
  readonly containerRuntime: Pick<ContainerRuntime, 'name' | 'runtime' | 'images' | 'logs'>;
  readonly helper: RuntimeHelper;
  readonly os: OSInterface;
  readonly recorder: EventRecorder;
  readonly liveness: ProbeResults;
  readonly startup: ProbeResults;
  /** Makes the requests of httpGet hooks. */
  readonly http: HookHttpClient;
  readonly podState: PodStateProvider;
  readonly node: RuntimeNode;
  /** `/var/log/pods`. */
  readonly podLogsDir: string;
  /** `/var/log/containers`: where links to container logs are made. Absent: none are. */
  readonly legacyLogDir?: string;
  /** `<root>/actuated_pods_state`: the resources last applied. Absent: a restarted kubelet does not know them. */
  readonly actuatedStateFile?: string;
  /** A number in [0, 1), for names of files. */
  readonly random: () => number;
  /** Default: v1.36. */
  readonly profile?: Profile;
  /** Gates that differ from the release's defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly imagePulls?: ImagePullOptions;
  /** Absent: the node keeps no cgroups of pods, and a resize is that of the containers alone. */
  readonly cgroups?: PodCgroups;
  /** Asks for a pod to be looked at again, after a resize. */
  readonly requestReinspect?: (uid: string) => void;
  /** The handler of a runtime class, undefined for one that does not exist. Absent: there are no runtime classes. */
  readonly lookupRuntimeHandler?: (runtimeClassName: string) => Promise<string | undefined>;
}

export class KubeGenericRuntimeManager implements Runtime {
  readonly type: string;
  readonly #parts: RuntimeParts;

  constructor(deps: RuntimeManagerDependencies) {
    const profile = deps.profile ?? profileV136;
    const gates = runtimeGates(profile.gates, deps.featureGates);
    const { containerRuntime, recorder } = deps;
    const images = instrumentImageService(containerRuntime.images);
    this.type = containerRuntime.name;
    this.#parts = {
      profile,
      gates,
      runtimeName: containerRuntime.name,
      runtime: instrumentRuntimeService(containerRuntime.runtime),
      images,
      logs: containerRuntime.logs,
      imageManager: new ImageManager({ images, recorder, gates, pulls: deps.imagePulls }),
      helper: deps.helper,
      os: deps.os,
      recorder,
      liveness: deps.liveness,
      startup: deps.startup,
      http: deps.http,
      node: deps.node,
      podState: deps.podState,
      actuated: new ActuatedResources(
        gates.InPlacePodVerticalScaling && deps.actuatedStateFile !== undefined ? { os: deps.os, path: deps.actuatedStateFile } : undefined,
      ),
      cgroups: deps.cgroups,
      requestReinspect: deps.requestReinspect ?? (() => undefined),
      lookupRuntimeHandler: deps.lookupRuntimeHandler ?? (() => Promise.resolve(undefined)),
      podLogsDir: deps.podLogsDir,
      legacyLogDir: deps.legacyLogDir,
      random: deps.random,
    };
  }

  async start(actuated: readonly ActuatedContainer[] = []): Promise<void> {
    await this.#parts.actuated.load();
    for (const { pod, container, resources } of actuated) this.#parts.actuated.setContainer(pod.metadata.uid, container, resources);
  }

  getPods(ctx: Context, all: boolean): Promise<readonly RuntimePod[]> {
    return getPods(ctx, this.#parts, all);
  }

  getPodStatus(ctx: Context, pod: RuntimePod): Promise<PodStatus> {
    return this.#parts.profile.getPodStatus(ctx, this.#parts, pod);
  }

  syncPod(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    pullSecrets: readonly Secret[],
    backOff: Backoff,
    restartAllContainers: boolean,
  ): Promise<PodSyncResult> {
    return syncPod(ctx, this.#parts, { pod, podStatus, pullSecrets, backOff, restartAllContainers });
  }

  isPodResizeInProgress(pod: Pod, podStatus: PodStatus): boolean {
    return isPodResizeInProgress(this.#parts, pod, podStatus);
  }

  async killPod(ctx: Context, pod: Pod | undefined, runningPod: RuntimePod, gracePeriodOverride?: number): Promise<void> {
    const { id: uid, name, namespace } = runningPod;
    await ctx.tracer.span(ctx, kuberuntimePoints.killPod, { uid, namespace, name, gracePeriodOverride }, async (inner) => {
      const result = await killPodWithSyncResult(inner, this.#parts, pod, runningPod, gracePeriodOverride);
      const error = result.error();
      if (error) throw error;
    });
  }

  deleteContainer(ctx: Context, { id }: ContainerID): Promise<void> {
    return removeContainer(ctx, this.#parts, id);
  }

  async garbageCollect(ctx: Context, policy: GCPolicy, allSourcesReady: boolean, evictNonDeletedPods: boolean): Promise<void> {
    await garbageCollect(ctx, this.#parts, { policy, allSourcesReady, evictNonDeletedPods });
    if (allSourcesReady) this.#parts.actuated.retain((uid) => !this.#parts.podState.shouldPodContentBeRemoved(uid));
  }

  async status(ctx: Context): Promise<readonly { readonly type: string; readonly status: boolean; readonly reason: string; readonly message: string }[]> {
    const { status } = await this.#parts.runtime.status(ctx, {});
    return status.conditions;
  }

  /** The key of a container's restart back-off. */
  containerBackOffKey(pod: Pod, container: Container): string {
    return this.#parts.profile.backOffKey(pod, container);
  }

  /** The back-off of failed image pulls, for showing. */
  imageBackOff(ctx: Context): Backoff {
    return this.#parts.imageManager.backOff(ctx.clock);
  }
}
