/**
 * Implements the generic runtime manager, the kubelet's interface to a container runtime. Upstream:
 * kubeGenericRuntimeManager (v1.36 and v1.20).
 */
import {
  type ContainerRuntime,
  type ImageService,
  instrumentImageService,
  instrumentRuntimeService,
} from '@podscope/cri';
import { kuberuntimePoints } from '@podscope/flow';
import type { Container, Pod, Secret } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { removeContainer } from './container/remove-container.ts';
import type { Backoff } from './flowcontrol/backoff.ts';
import { garbageCollect } from './gc/garbage-collect.ts';
import { ImageManager } from './images/image-manager.ts';
import type { ImagePullOptions } from './images/puller.ts';
import { killPodWithSyncResult } from './kill/kill-pod.ts';
import { type InternalContainerLifecycle, noResourceManagers } from './lifecycle/internal-lifecycle.ts';
import { runtimeGates } from './profiles/gates.ts';
import { profileV136 } from './profiles/v1-36/profile.ts';
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
import type { HookHttpClient, Profile, RuntimeDependencies } from './runtime-dependencies.ts';
import type { RuntimeNode } from './runtime-node.ts';
import { getPod, getPods } from './status/get-pods.ts';
import { syncPod } from './sync/sync-pod.ts';
import type { PodSyncResult } from './sync/sync-result.ts';

/** The dependencies of the runtime manager. */
export interface RuntimeManagerDependencies {
  /** The runtime without spans. The manager opens a span around each call. */
  readonly containerRuntime: Pick<ContainerRuntime, 'name' | 'runtime' | 'images' | 'logs'>;
  readonly helper: RuntimeHelper;
  readonly os: OSInterface;
  readonly recorder: EventRecorder;
  readonly liveness: ProbeResults;
  readonly startup: ProbeResults;
  /** Sends the requests of httpGet hooks. */
  readonly http: HookHttpClient;
  readonly podState: PodStateProvider;
  readonly node: RuntimeNode;
  /** The directory of pod logs, for example `/var/log/pods`. */
  readonly podLogsDir: string;
  /** The directory of links to container logs, for example `/var/log/containers`. Absent: no links are created. */
  readonly legacyLogDir?: string;
  /**
   * The path of the file with the resources that were applied last, for example `<root>/actuated_pods_state`. Absent:
   * the record is lost when the kubelet restarts.
   */
  readonly actuatedStateFile?: string;
  /** Returns a number in [0, 1), for the names of files. */
  readonly random: () => number;
  /** The profile of the release. Default: v1.36. */
  readonly profile?: Profile;
  /** Gates that override the release's defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly imagePulls?: ImagePullOptions;
  /** Wraps the image service as the kubelet's CRI client does. Default: no wrapper. */
  readonly imageClient?: (images: ImageService) => ImageService;
  /** Reads and writes pod cgroups. Absent: the node has no pod cgroups, and a resize affects only containers. */
  readonly cgroups?: PodCgroups;
  /** Requests from the PLEG, after a resize, that it inspects the pod again. */
  readonly requestReinspect?: (uid: string) => void;
  /** Returns the handler of a runtime class; undefined if the class doesn't exist. Absent: no runtime classes exist. */
  readonly lookupRuntimeHandler?: (runtimeClassName: string) => Promise<string | undefined>;
  /** The calls to the resource managers. Default: they do nothing, as with the policy `none`. */
  readonly internalLifecycle?: InternalContainerLifecycle;
}

export class KubeGenericRuntimeManager implements Runtime {
  readonly type: string;
  readonly #dependencies: RuntimeDependencies;

  constructor(deps: RuntimeManagerDependencies) {
    const profile = deps.profile ?? profileV136;
    const gates = runtimeGates(profile.gates, deps.featureGates);
    const { containerRuntime, recorder } = deps;
    const images = instrumentImageService(containerRuntime.images, profile.name);
    this.type = containerRuntime.name;
    this.#dependencies = {
      profile,
      gates,
      runtimeName: containerRuntime.name,
      runtime: instrumentRuntimeService(containerRuntime.runtime, profile.name),
      images,
      logs: containerRuntime.logs,
      imageManager: new ImageManager({
        images: deps.imageClient?.(images) ?? images,
        recorder,
        gates,
        pulls: deps.imagePulls,
      }),
      helper: deps.helper,
      os: deps.os,
      recorder,
      liveness: deps.liveness,
      startup: deps.startup,
      http: deps.http,
      node: deps.node,
      podState: deps.podState,
      actuated: new ActuatedResources(
        gates.InPlacePodVerticalScaling && deps.actuatedStateFile !== undefined
          ? { os: deps.os, path: deps.actuatedStateFile }
          : undefined,
      ),
      cgroups: deps.cgroups,
      requestReinspect: deps.requestReinspect ?? (() => undefined),
      lookupRuntimeHandler: deps.lookupRuntimeHandler ?? (() => Promise.resolve(undefined)),
      internalLifecycle: deps.internalLifecycle ?? noResourceManagers,
      podLogsDir: deps.podLogsDir,
      legacyLogDir: deps.legacyLogDir,
      random: deps.random,
    };
  }

  async start(actuated: readonly ActuatedContainer[] = []): Promise<void> {
    await this.#dependencies.actuated.load();
    for (const { pod, container, resources } of actuated) {
      this.#dependencies.actuated.setContainer(pod.metadata.uid, container, resources);
      const ofPod = pod.status?.resources ?? pod.spec.resources;
      if (ofPod) this.#dependencies.actuated.setPod(pod.metadata.uid, ofPod);
    }
  }

  /** Returns the resources last applied to the containers of a pod. Containers without a record are omitted. */
  actuated(pod: Pod): readonly ActuatedContainer[] {
    const { actuated } = this.#dependencies;
    return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap(({ name }) => {
      const resources = actuated.container(pod.metadata.uid, name);
      return resources ? [{ pod, container: name, resources }] : [];
    });
  }

  getPods(ctx: Context, all: boolean): Promise<readonly RuntimePod[]> {
    return getPods(ctx, this.#dependencies, all);
  }

  getPod(ctx: Context, uid: string): Promise<RuntimePod | undefined> {
    return getPod(ctx, this.#dependencies, uid);
  }

  getPodStatus(ctx: Context, pod: RuntimePod): Promise<PodStatus> {
    return this.#dependencies.profile.getPodStatus(ctx, this.#dependencies, pod);
  }

  syncPod(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    pullSecrets: readonly Secret[],
    backOff: Backoff,
    restartAllContainers: boolean,
  ): Promise<PodSyncResult> {
    return syncPod(ctx, this.#dependencies, { pod, podStatus, pullSecrets, backOff, restartAllContainers });
  }

  isPodResizeInProgress(pod: Pod, podStatus: PodStatus): boolean {
    return isPodResizeInProgress(this.#dependencies, pod, podStatus);
  }

  updateActuatedPodLevelResources({ metadata, spec: { resources } }: Pod): void {
    const { actuated, gates } = this.#dependencies;
    if (!gates.InPlacePodVerticalScaling || (!resources?.requests && !resources?.limits)) return;
    actuated.setPod(metadata.uid, resources);
  }

  async killPod(
    ctx: Context,
    pod: Pod | undefined,
    runningPod: RuntimePod,
    gracePeriodOverride?: number,
  ): Promise<void> {
    const { id: uid, name, namespace } = runningPod;
    await ctx.tracer.span(
      ctx,
      kuberuntimePoints.killPod,
      { uid, namespace, name, gracePeriodOverride },
      async (inner) => {
        const result = await killPodWithSyncResult(inner, this.#dependencies, pod, runningPod, gracePeriodOverride);
        const error = result.error();
        if (error) throw error;
      },
    );
  }

  deleteContainer(ctx: Context, { id }: ContainerID): Promise<void> {
    return removeContainer(ctx, this.#dependencies, id);
  }

  async garbageCollect(
    ctx: Context,
    policy: GCPolicy,
    allSourcesReady: boolean,
    evictNonDeletedPods: boolean,
  ): Promise<void> {
    await garbageCollect(ctx, this.#dependencies, { policy, allSourcesReady, evictNonDeletedPods });
    if (allSourcesReady)
      this.#dependencies.actuated.retain((uid) => !this.#dependencies.podState.shouldPodContentBeRemoved(uid));
  }

  async status(ctx: Context): ReturnType<Runtime['status']> {
    const { status, features, runtimeHandlers } = await this.#dependencies.runtime.status(ctx, {});
    return { conditions: status.conditions, features, handlers: runtimeHandlers };
  }

  /** Returns the key of a container's restart back-off. */
  containerBackOffKey(pod: Pod, container: Container): string {
    return this.#dependencies.profile.backOffKey(pod, container);
  }

  /** Returns the back-off of failed image pulls, for display in the page. */
  imageBackOff(ctx: Context): Backoff {
    return this.#dependencies.imageManager.backOff(ctx.clock);
  }
}
