/**
 * Composes the kubelet from its loops, workers, caches and the runtime manager. Upstream: NewMainKubelet
 * (pkg/kubelet/kubelet.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { type ContainerLogLine, instrumentRuntimeService } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, goQuote, type Node, type Pod } from '@podscope/k8s';
import { Backoff, type Runtime, resourceConfigForPod } from '@podscope/kuberuntime';
import { type Context, type Instant, type Milliseconds, withPod, withThread } from '@podscope/trace';
import { nodeAllocatable } from './cgroups/node-allocatable.ts';
import { PodContainerManager } from './cgroups/pod-container-manager.ts';
import { qosCgroupLoop } from './cgroups/update-qos-cgroups.ts';
import { PodConfig } from './config/pod-config.ts';
import type { PodSource } from './config/pod-source.ts';
import { ContainerLogError, containerLogID, readContainerLog } from './container/container-logs.ts';
import { PodCache } from './container/pod-cache.ts';
import { PodDirectories } from './container/pod-directories.ts';
import { DebugControls } from './debug-controls.ts';
import type { KubeletDependencies } from './dependencies.ts';
import { localStorageEvictionLoop } from './eviction/local-storage-eviction.ts';
import { VolumeStats } from './eviction/volume-stats.ts';
import { type FeatureGates, featureGates } from './features.ts';
import { collectImages, type ImageCollection } from './images/image-collection.ts';
import { rotateContainerLogs } from './logs/container-log-manager.ts';
import { deadlineExceeded, isPastActiveDeadline } from './loop/active-deadline.ts';
import { garbageCollectionLoop } from './loop/garbage-collection.ts';
import { runtimeCheckLoop, updateRuntimeUp } from './loop/runtime-check.ts';
import { SyncLoop } from './loop/sync-loop.ts';
import { Measures, measuredCgroups } from './metrics/measures.ts';
import { NodeShutdown } from './node-shutdown/node-shutdown.ts';
import { GenericPleg } from './pleg/generic-pleg.ts';
import { fastStaticPodsRegistration } from './pod/fast-static-pods-registration.ts';
import { MirrorPods } from './pod/mirror-pods.ts';
import { PodManager } from './pod/pod-manager.ts';
import type { PodWorkerState } from './pod-workers/types.ts';
import { ProbeManager } from './prober/manager.ts';
import { Prober } from './prober/prober.ts';
import type { KubeletProfile } from './profiles/kubelet-profile.ts';
import type { PodWork } from './profiles/pod-work.ts';
import { kubeletProfiles } from './profiles/profiles.ts';
import { createRuntimeManager, type RuntimeManagerFactory } from './runtime/create-runtime-manager.ts';
import { RuntimeClasses } from './runtime/runtime-classes.ts';
import { RuntimeState } from './runtime/runtime-state.ts';
import { stopAllPods } from './runtime/stop-all-pods.ts';
import { StatusManager } from './status/manager/status-manager.ts';
import { ResizeConditions, resizeConditionTypes } from './status/resize-conditions.ts';
import type { StatusInput } from './status/status-input.ts';
import { ReasonCache } from './sync-pod/reason-cache.ts';
import { StrictClock } from './util/strict-clock.ts';
import { TaskGroup } from './util/task-group.ts';
import { withoutTracing } from './util/without-tracing.ts';
import { WorkQueue } from './util/work-queue.ts';
import { downwardValue } from './volumes/plugins/downward-value.ts';
import { ServiceAccountTokens } from './volumes/plugins/service-account-tokens.ts';
import { VolumeManager } from './volumes/volume-manager.ts';

const initialBackOff: Milliseconds = 10_000;
const maxBackOff: Milliseconds = 300_000;
const backOffExpiry: Milliseconds = 600_000;

/** How many dead instances of each container are kept, so that their logs and exit codes can be read. */
const maxPerPodContainer = 1;

/** Selects a container's instance and the part of its log to read. */
export interface ContainerLogRequest {
  /** Whether to read the log of the instance before the current one. Default: false. */
  readonly previous?: boolean;
  readonly follow?: boolean;
  readonly tailLines?: number;
  readonly since?: Instant;
}

/** The kubelet of a node. */
export class Kubelet {
  readonly podManager = new PodManager();
  readonly podCache = new PodCache();
  readonly statusManager: StatusManager;
  readonly probeManager: ProbeManager;
  readonly runtimeManager: Runtime;
  readonly workQueue = new WorkQueue();
  /** Durations for metrics that aren't in the event log. */
  readonly measures = new Measures();
  /** The actions of a debugger on this kubelet. */
  readonly debugControls: DebugControls;
  /** The shutdown of the node. */
  readonly nodeShutdown: NodeShutdown;
  readonly #config: PodConfig;
  readonly #profile: KubeletProfile;
  readonly #gates: FeatureGates;
  readonly #work: PodWork;
  readonly #podContainers: PodContainerManager;
  readonly #volumeManager: VolumeManager;
  readonly #mirrorPods: MirrorPods;
  readonly #dependencies: KubeletDependencies;
  readonly #runtimeState = new RuntimeState();
  readonly #runtimeClasses: RuntimeClasses;
  readonly #pleg: GenericPleg;
  readonly #syncLoop: SyncLoop;
  readonly #directories: PodDirectories;
  readonly #imageGC: ImageCollection | undefined;
  readonly #reasonCache = new ReasonCache();
  readonly #strictClock = new StrictClock();
  readonly #tasks: TaskGroup;
  #root: Context | undefined;
  #backOff: Backoff | undefined;
  #evictAll = false;

  /** @param createRuntime creates the runtime manager; only tests pass a different one */
  constructor(given: KubeletDependencies, createRuntime: RuntimeManagerFactory = createRuntimeManager) {
    this.#imageGC = given.imageGC && collectImages(given, given.imageGC);
    const dependencies = { ...given, ...(this.#imageGC && { containerRuntime: this.#imageGC.containerRuntime }) };
    this.#dependencies = dependencies;
    const { client, recorder, os, node, random, http, tcp, grpc, containerRuntime } = dependencies;
    const profile = kubeletProfiles[dependencies.profile ?? 'v1.36'];
    this.#profile = profile;
    const gates = featureGates(dependencies.featureGates, profile.gates);
    this.#gates = gates;
    this.#runtimeClasses = new RuntimeClasses(client, dependencies.standalone);
    const { podManager, podCache, workQueue } = this;
    this.#tasks = new TaskGroup((error) => this.#reportFailure(error));
    this.#config = new PodConfig(dependencies.sources ?? ['api'], recorder);
    this.#directories = new PodDirectories(os, node.rootDir, node.podLogsDir, node.legacyLogDir);
    const cri = instrumentRuntimeService(containerRuntime.runtime, profile.name);
    const reasonCache = this.#reasonCache;
    const resizeConditions = new ResizeConditions();
    this.statusManager = new StatusManager({
      client,
      podManager,
      profile: profile.statusManager,
      gates,
      measures: this.measures,
      podCouldHaveRunningContainers: (uid) => this.#work.couldHaveRunningContainers(uid),
      podResourcesAreReclaimed: (pod, status) => this.#work.podResourcesAreReclaimed(pod, status),
    });
    this.probeManager = new ProbeManager({
      prober: new Prober({ runtime: cri, http, tcp, grpc, recorder, profile: profile.probes }),
      podStatus: (uid) => this.statusManager.getPodStatus(uid),
      random,
      gates,
      profile: profile.probes,
      tasks: this.#tasks,
      deliver: (probe) => this.#syncLoop.post({ channel: 'probe', probe }),
      measures: this.measures,
    });
    this.#volumeManager = new VolumeManager({
      os,
      directories: this.#directories,
      recorder,
      random,
      tasks: this.#tasks,
      profile: profile.volumes,
      allocatableBytes: node.memoryBytes,
      memoryLimit: (pod) => resourceConfigForPod(pod, { node: { ...node, seccompProfileRoot: '' }, gates }).memory ?? 0,
      sources: {
        client,
        downwardValue: (pod, file) => downwardValue(pod, file, nodeAllocatable(node)),
        tokens: new ServiceAccountTokens(client, random),
      },
    });
    const volumeManager = this.#volumeManager;
    this.#podContainers = new PodContainerManager({
      cgroups:
        dependencies.cgroups && measuredCgroups(dependencies.cgroups, this.measures, () => this.#requireRoot().clock),
      node,
      podLevelResources: gates.PodLevelResources,
      containerNames: (uid) => new Map(podCache.get(uid).status.containerStatuses.map(({ id, name }) => [id.id, name])),
    });
    const podContainers = this.#podContainers;
    this.runtimeManager = createRuntime({
      kubelet: dependencies,
      profile: profile.runtime,
      imageClient: profile.imageClient,
      volumeManager,
      podContainers,
      probes: this.probeManager.results,
      isPodTerminationRequested: (uid) => this.#work.isPodTerminationRequested(uid),
      shouldPodContentBeRemoved: (uid) => this.#evictAll || this.#work.shouldPodContentBeRemoved(uid),
      shouldPodRuntimeBeRemoved: (uid) => this.#evictAll || this.#work.shouldPodRuntimeBeRemoved(uid),
      onPodSandboxReady: (ctx, pod) => this.#onPodSandboxReady(ctx, pod),
      requestReinspect: (uid) => this.#pleg.requestReinspect(uid),
      lookupRuntimeHandler: (name) => this.#runtimeClasses.lookupRuntimeHandler(name),
      supportsRecursiveReadOnly: (pod) => this.#supportsRecursiveReadOnly(pod),
    });
    this.#pleg = new GenericPleg({
      profile: profile.pleg,
      runtime: this.runtimeManager,
      cache: podCache,
      strictClock: this.#strictClock,
      measures: this.measures,
      deliver: (event) => this.#syncLoop.post({ channel: 'pleg', event }),
      containerType: (uid, name) => containerType(podManager.getPodByUID(uid), name),
    });
    this.#mirrorPods = new MirrorPods(client, dependencies.standalone);
    this.#work = profile.createPodWork({
      kubelet: dependencies,
      podManager,
      podCache,
      podConfig: this.#config,
      workQueue,
      strictClock: this.#strictClock,
      tasks: this.#tasks,
      measures: this.measures,
      cri,
      maxPerPodContainer,
      isShuttingDown: () => this.nodeShutdown.error !== undefined,
      learnRuntimeClasses: (pods) => this.#runtimeClasses.learn(pods),
      sync: {
        client,
        recorder,
        gates,
        runtime: this.runtimeManager,
        backOff: () => this.#requireBackOff(),
        statusManager: this.statusManager,
        resizeConditions,
        reasonCache,
        runtimeState: this.#runtimeState,
        probeManager: this.probeManager,
        volumeManager,
        podContainers,
        activePods: () => this.#work.activePods(),
        directories: this.#directories,
        mirrorPods: this.#mirrorPods,
        generateStatus: (ctx, pod, podStatus, podIsTerminal, podCgroup) =>
          this.#generateStatus(ctx, { pod, podStatus, podIsTerminal, podCgroup }, reasonCache, resizeConditions),
        isPodTerminationRequested: (uid) => this.#work.isPodTerminationRequested(uid),
        requestPodRelist: (ctx, uid) => {
          if (gates.PLEGOnDemandRelist) this.#pleg.requestPodRelist(ctx, uid);
        },
        resync: (ctx, pod) => this.#work.resync(ctx, pod),
        runSignal: () => this.#requireRoot().signal,
      },
    });
    this.nodeShutdown = new NodeShutdown({
      gates,
      recorder,
      activePods: () => this.#work.activePods(),
      terminate: (ctx, pod, edit, gracePeriodSeconds) => this.#work.terminate(ctx, pod, edit, gracePeriodSeconds),
      waitForUnmount: (ctx, pod) => this.#volumeManager.waitForUnmount(ctx, pod),
    });
    this.debugControls = new DebugControls({
      podManager,
      podCache,
      resync: (ctx, pod) => this.#work.resync(ctx, pod),
      runtime: this.runtimeManager,
      backOff: () => this.#requireBackOff(),
      root: () => this.#requireRoot(),
    });
    this.#syncLoop = new SyncLoop({
      handler: this.#work.handler,
      podConfig: this.#config,
      podManager,
      statusManager: this.statusManager,
      workQueue,
      runtimeErrors: (now) => this.#runtimeState.runtimeErrors(now, this.#pleg.health(now)),
    });
  }

  /** Accepts the pods of each source. Each call replaces all pods of that source. */
  get podConfig(): { set(source: PodSource, pods: readonly Pod[]): void } {
    return this.#config;
  }

  /**
   * Runs all loops until the context is aborted and resolves when all loops have stopped. Containers keep running. A
   * kubelet runs once.
   */
  async run(ctx: Context): Promise<void> {
    if (this.#root) throw new Error('this kubelet has already run: create a new one');
    const root = withThread(ctx, 'kubelet');
    this.#root = root;
    this.#backOff = new Backoff(ctx.clock, { initial: initialBackOff, max: maxBackOff, expireAfter: backOffExpiry });
    const { memory = { backOffs: [], startFailures: [], actuated: [], probeFailures: [] } } = this.#dependencies;
    this.debugControls.restoreBackOffs(memory.backOffs);
    for (const { pod, container, reason, message } of memory.startFailures)
      this.#reasonCache.restore(pod.metadata.uid, container, { error: reason, message });
    await this.#announce(withoutTracing(root));
    this.probeManager.start(root, memory.probeFailures);
    await this.#directories.setupDataDirs();
    await this.#volumeManager.reconstructVolumes();
    await this.runtimeManager.start(memory.actuated);
    await this.#work.start(root);
    const { networkNotReady } = this.#profile;
    await updateRuntimeUp(root, this.runtimeManager, this.#runtimeState, networkNotReady);
    const plegCtx = withThread(ctx, 'pleg');
    await this.#pleg.start(plegCtx);
    const loopCtx = withThread(ctx, 'syncLoop');
    this.#config.start(loopCtx, (update) => this.#syncLoop.post({ channel: 'config', update }));
    this.#registerStaticPods(root);
    const { os, random } = this.#dependencies;
    const volumeStats = new VolumeStats({
      os,
      random,
      pods: () => this.podManager.getPods(),
      mountedVolumes: (uid) => this.#volumeManager.mountedVolumes(uid),
    });
    await Promise.all([
      this.#pleg.run(plegCtx),
      this.#syncLoop.run(loopCtx),
      this.#volumeManager.run(withThread(ctx, 'volumeManager')),
      // Without an API server, statuses are cached but not written.
      this.#dependencies.standalone ? undefined : this.statusManager.run(withThread(ctx, 'statusManager')),
      runtimeCheckLoop(root, this.runtimeManager, this.#runtimeState, networkNotReady),
      garbageCollectionLoop(withThread(ctx, 'garbageCollection'), {
        runtime: this.runtimeManager,
        recorder: this.#dependencies.recorder,
        allSourcesReady: () => this.#config.allReady,
        shouldPodContentBeRemoved: (uid) => this.#work.shouldPodContentBeRemoved(uid),
      }),
      this.#imageGC?.run(withThread(ctx, 'garbageCollection'), this.runtimeManager),
      volumeStats.run(withThread(ctx, 'eviction')),
      localStorageEvictionLoop(withThread(ctx, 'eviction'), {
        os,
        runtime: this.#dependencies.containerRuntime.runtime,
        containerLogsDir: (pod, container) => this.#directories.containerLogsDir(pod, container),
        recorder: this.#dependencies.recorder,
        activePods: () => this.#work.activePods(),
        volumeStats,
        evict: (own, pod, status) => this.#work.evict(own, pod, status),
        isCleanedUp: (pod) => this.#work.isCleanedUp(pod),
      }),
      rotateContainerLogs(withThread(ctx, 'containerLogs'), this.#dependencies),
      qosCgroupLoop(root, this.#podContainers, () => this.#work.activePods()),
    ]);
    await this.#tasks.settled();
  }

  /** Publishes the static pods in the background once the node is registered, if the release does. */
  #registerStaticPods(ctx: Context): void {
    const { client, standalone } = this.#dependencies;
    if (standalone || !this.#profile.registersStaticPods) return;
    const dependencies = { client, podManager: this.podManager, mirrorPods: this.#mirrorPods };
    this.#tasks.start(() => fastStaticPodsRegistration(ctx, dependencies));
  }

  /**
   * Records the kubelet's start and limits the pods' cgroup. Upstream: BirthCry (pkg/kubelet),
   * containerManagerImpl.enforceNodeAllocatableCgroups (pkg/kubelet/cm, v1.36).
   */
  async #announce(ctx: Context): Promise<void> {
    const { recorder } = this.#dependencies;
    recorder.nodeEvent(ctx, 'Normal', 'Starting', 'Starting kubelet.');
    try {
      const enforced = await this.#podContainers.enforceNodeAllocatable();
      if (enforced)
        recorder.nodeEvent(ctx, 'Normal', 'NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
    } catch (error) {
      const message = `Failed to update Node Allocatable Limits ["kubepods"]: ${errorText(error)}`;
      recorder.nodeEvent(ctx, 'Warning', 'FailedNodeAllocatableEnforcement', message);
    }
  }

  /**
   * Returns why this node isn't ready; empty when it is ready. Upstream: the runtimeErrors, networkErrors and
   * nodeShutdownManagerErrors of the Ready condition (nodestatus.ReadyCondition, v1.36).
   */
  nodeErrors(now: Instant): readonly string[] {
    const network = this.#runtimeState.networkError();
    const shutdown = this.nodeShutdown.error;
    return [
      ...this.#runtimeState.runtimeErrors(now, this.#pleg.health(now)),
      ...(network === undefined ? [] : [network]),
      ...(shutdown === undefined ? [] : [shutdown]),
    ];
  }

  /**
   * Returns the features for the status of the node; undefined in v1.20 and if the runtime reports none. Upstream:
   * nodestatus.Features (v1.36).
   */
  nodeFeatures(): NonNullable<Node['status']>['features'] {
    const { features } = this.#runtimeState;
    if (!features || this.#profile.name === 'v1.20') return undefined;
    return { supplementalGroupsPolicy: features.supplementalGroupsPolicy ?? false };
  }

  /** Returns the pods that use the node's resources, for admission. */
  activePods(): readonly Pod[] {
    return this.#work.activePods();
  }

  /** Returns the states of the pod workers; empty in v1.20, whose workers keep no states. */
  workingPods(): readonly PodWorkerState[] {
    return this.#work.workingPods();
  }

  /** When the PLEG last relisted; undefined before the first relist. */
  get plegLastSeen(): Instant | undefined {
    return this.#pleg.relistTime;
  }

  /**
   * Stops and removes every pod of this node at the end of a run that keeps no pods. Call it after {@link run} has
   * resolved.
   * @param graceSeconds the longest grace period of any container, in seconds; default 10
   */
  async stopAllPods(ctx: Context, graceSeconds?: number): Promise<void> {
    this.#evictAll = true;
    await stopAllPods(
      withThread(ctx, 'kubelet'),
      this.runtimeManager,
      (uid) => this.podManager.getPodByUID(uid),
      graceSeconds,
    );
    for (const uid of this.#volumeManager.podsWithVolumes()) await this.#volumeManager.tearDown(uid);
    for (const path of (await this.#podContainers.pods()).values()) await this.#podContainers.destroy(path);
  }

  /**
   * Yields the lines of a container's log.
   * @throws ContainerLogError when the pod, container or instance doesn't exist or hasn't started
   */
  async *containerLogs(
    ctx: Context,
    namespace: string,
    podName: string,
    container: string,
    { previous = false, follow, tailLines, since }: ContainerLogRequest = {},
  ): AsyncGenerator<ContainerLogLine> {
    const pod = this.podManager.getPodByName(namespace, podName);
    if (!pod) throw new ContainerLogError(`pod ${goQuote(podName)} cannot be found - no logs available`);
    const status = this.statusManager.getPodStatus(pod.metadata.uid) ?? pod.status ?? {};
    const id = containerLogID(podName, status, container, previous);
    yield* readContainerLog(ctx, this.#dependencies.containerRuntime.logs, id, { follow, tailLines, since });
  }

  #generateStatus(
    ctx: Context,
    input: Pick<StatusInput, 'pod' | 'podStatus' | 'podIsTerminal' | 'podCgroup'>,
    reasons: ReasonCache,
    resizeConditions: ResizeConditions,
  ): ApiPodStatus {
    const { uid } = input.pod.metadata;
    const cached = this.statusManager.getPodStatus(uid);
    // An ended pod isn't resized any more. Upstream: determinePodResizeStatus.
    if (input.podIsTerminal) for (const type of resizeConditionTypes) resizeConditions.clear(uid, type);
    return this.#profile.generateAPIPodStatus(ctx, {
      ...input,
      cached,
      reasons,
      probes: this.probeManager,
      nodeIPs: this.#dependencies.standalone ? [] : this.#dependencies.node.ips,
      shouldEvict: (candidate) => {
        if (!isPastActiveDeadline(candidate, cached, ctx.clock.now())) return undefined;
        this.#dependencies.recorder.event(ctx, candidate, 'Normal', deadlineExceeded.reason, deadlineExceeded.message);
        return deadlineExceeded;
      },
      resizeConditions: resizeConditions.get(uid),
      gates: this.#gates,
      supportsRecursiveReadOnly: this.#supportsRecursiveReadOnly(input.pod),
    });
  }

  #supportsRecursiveReadOnly(pod: Pod): boolean {
    return this.#runtimeClasses.supportsRecursiveReadOnly(pod, this.#runtimeState.handlers);
  }

  /**
   * Publishes that the sandbox is ready before the images are pulled, because a pull may take long. Upstream:
   * OnPodSandboxReady.
   */
  async #onPodSandboxReady(ctx: Context, pod: Pod): Promise<void> {
    const status = this.statusManager.getPodStatus(pod.metadata.uid);
    if (!status) return;
    const conditions = status.conditions?.map((condition) =>
      condition.type === 'PodReadyToStartContainers' ? { ...condition, status: 'True' as const } : condition,
    );
    this.statusManager.setPodStatus(
      withPod(ctx, { uid: pod.metadata.uid, name: pod.metadata.name, namespace: pod.metadata.namespace ?? '' }),
      pod,
      {
        ...status,
        conditions,
      },
    );
  }

  #requireRoot(): Context {
    if (!this.#root) throw new Error('the kubelet is not running yet');
    return this.#root;
  }

  #requireBackOff(): Backoff {
    if (!this.#backOff) throw new Error('the kubelet is not running yet');
    return this.#backOff;
  }

  #reportFailure(error: unknown): void {
    const root = this.#root;
    if (!root || root.signal.aborted) return;
    root.tracer.emit(root, { type: 'output', level: 'error', message: errorText(error) });
  }
}

/** Returns the type of the pod's container that has this name. */
function containerType(pod: Pod | undefined, name: string): 'init' | 'sidecar' | 'container' | 'ephemeral' | undefined {
  const init = pod?.spec.initContainers?.find((container) => container.name === name);
  if (init) return init.restartPolicy === 'Always' ? 'sidecar' : 'init';
  if (pod?.spec.containers.some((container) => container.name === name)) return 'container';
  return pod?.spec.ephemeralContainers?.some((container) => container.name === name) ? 'ephemeral' : undefined;
}
