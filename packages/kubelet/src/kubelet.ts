/** The kubelet, composed: loops, workers, caches and the runtime manager, from one set of dependencies. */
import { type ContainerLogLine, instrumentRuntimeService } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, goQuote, type Pod } from '@podscope/k8s';
import { Backoff, type PodStatus, type Runtime } from '@podscope/kuberuntime';
import { type Context, type Instant, type Milliseconds, withPod, withThread } from '@podscope/trace';
import { deadlineExceeded, isPastActiveDeadline } from './active-deadline.ts';
import { PodConfig } from './config/pod-config.ts';
import type { PodSource } from './config/pod-source.ts';
import { ContainerDeletor } from './container/container-deletor.ts';
import { ContainerLogError, containerLogID } from './container/container-logs.ts';
import { PodDirectories } from './container/pod-directories.ts';
import type { KubeletDependencies } from './dependencies.ts';
import { featureGates } from './features.ts';
import { KubeletInterventions } from './interventions.ts';
import { garbageCollectionLoop } from './loop/garbage-collection.ts';
import { runtimeCheckLoop, updateRuntimeUp } from './loop/runtime-check.ts';
import { SyncLoop } from './loop/sync-loop.ts';
import { nodeAllocatable } from './node-allocatable.ts';
import { GenericPleg } from './pleg/generic-pleg.ts';
import { PodCache } from './pod-cache.ts';
import { PodManager } from './pod-manager.ts';
import { PodWorkers } from './pod-workers/pod-workers.ts';
import type { PodSyncer } from './pod-workers/types.ts';
import { ProbeManager } from './prober/manager.ts';
import { Prober } from './prober/prober.ts';
import { ReasonCache } from './reason-cache.ts';
import { createRuntimeManager, type RuntimeManagerFactory } from './runtime-manager.ts';
import { RuntimeState } from './runtime-state.ts';
import { generateAPIPodStatus } from './status/generate-api-pod-status.ts';
import { ResizeConditions } from './status/resize-conditions.ts';
import { StatusManager } from './status/status-manager.ts';
import { stopAllPods } from './stop-all-pods.ts';
import { MirrorPods } from './sync-pod/mirror-pods.ts';
import type { PodSyncParts } from './sync-pod/parts.ts';
import { syncPod } from './sync-pod/sync-pod.ts';
import { syncTerminatedPod } from './sync-pod/sync-terminated-pod.ts';
import { syncTerminatingPod, syncTerminatingRuntimePod } from './sync-pod/sync-terminating-pod.ts';
import { errorText } from './util/error-text.ts';
import { StrictClock } from './util/strict-clock.ts';
import { TaskGroup } from './util/task-group.ts';
import { WorkQueue } from './util/work-queue.ts';
import { downwardValue } from './volumes/downward-value.ts';
import { VolumeManager } from './volumes/volume-manager.ts';

const initialBackOff: Milliseconds = 10_000;
const maxBackOff: Milliseconds = 300_000;
const backOffExpiry: Milliseconds = 600_000;

/** Dead instances of each container that stay, for their logs and exit codes. */
const maxPerPodContainer = 1;

/** Which part of a container's log to read, and of which instance. */
export interface ContainerLogRequest {
  /** The instance before the current one. */
  readonly previous?: boolean;
  readonly follow?: boolean;
  readonly tailLines?: number;
  readonly since?: Instant;
}

/** A node's kubelet. */
export class Kubelet {
  readonly podManager = new PodManager();
  readonly podCache = new PodCache();
  readonly podWorkers: PodWorkers;
  readonly statusManager: StatusManager;
  readonly probeManager: ProbeManager;
  readonly runtimeManager: Runtime;
  readonly workQueue = new WorkQueue();
  /** What a person may do to it while it runs. */
  readonly interventions: KubeletInterventions;
  readonly #config: PodConfig;
  readonly #deps: KubeletDependencies;
  readonly #runtimeState = new RuntimeState();
  readonly #pleg: GenericPleg;
  readonly #syncLoop: SyncLoop;
  readonly #directories: PodDirectories;
  readonly #strictClock = new StrictClock();
  readonly #tasks: TaskGroup;
  #root: Context | undefined;
  #backOff: Backoff | undefined;
  #evictAll = false;

  /** @param createRuntime makes the runtime manager; another one only for tests. */
  constructor(deps: KubeletDependencies, createRuntime: RuntimeManagerFactory = createRuntimeManager) {
    this.#deps = deps;
    const { client, recorder, os, node, random, http, tcp, containerRuntime } = deps;
    const gates = featureGates(deps.featureGates);
    const { podManager, podCache, workQueue } = this;
    this.#tasks = new TaskGroup((error) => this.#reportFailure(error));
    this.#config = new PodConfig(deps.sources ?? ['api'], recorder);
    this.#directories = new PodDirectories(os, node.rootDir, node.podLogsDir);
    const reasonCache = new ReasonCache();
    const resizeConditions = new ResizeConditions();
    const mirrorPods = new MirrorPods(client);
    this.statusManager = new StatusManager({
      client,
      podManager,
      gates,
      podCouldHaveRunningContainers: (uid) => this.podWorkers.couldHaveRunningContainers(uid),
    });
    this.probeManager = new ProbeManager({
      prober: new Prober({ runtime: instrumentRuntimeService(containerRuntime.runtime), http, tcp, recorder }),
      podStatus: (uid) => this.statusManager.getPodStatus(uid),
      pod: (uid) => podManager.getPodByUID(uid),
      random,
      gates,
      tasks: this.#tasks,
      deliver: (probe) => this.#syncLoop.post({ channel: 'probe', probe }),
    });
    const volumeManager = new VolumeManager({
      os,
      directories: this.#directories,
      recorder,
      random,
      sources: { client, downwardValue: (pod, file) => downwardValue(pod, file, nodeAllocatable(node)) },
    });
    this.runtimeManager = createRuntime({
      deps,
      volumeManager,
      probes: this.probeManager.results,
      isPodTerminationRequested: (uid) => this.podWorkers.isPodTerminationRequested(uid),
      shouldPodContentBeRemoved: (uid) => this.#evictAll || this.podWorkers.shouldPodContentBeRemoved(uid),
      shouldPodRuntimeBeRemoved: (uid) => this.#evictAll || this.podWorkers.shouldPodRuntimeBeRemoved(uid),
      onPodSandboxReady: (ctx, pod) => this.#onPodSandboxReady(ctx, pod),
      requestReinspect: (uid) => this.#pleg.requestReinspect(uid),
    });
    const parts: PodSyncParts = {
      deps,
      gates,
      runtime: this.runtimeManager,
      backOff: () => this.#requireBackOff(),
      statusManager: this.statusManager,
      resizeConditions,
      reasonCache,
      runtimeState: this.#runtimeState,
      probeManager: this.probeManager,
      volumeManager,
      directories: this.#directories,
      mirrorPods,
      generateStatus: (ctx, pod, podStatus, podIsTerminal) => this.#generateStatus(ctx, pod, podStatus, podIsTerminal, reasonCache, resizeConditions),
      isPodTerminationRequested: (uid) => this.podWorkers.isPodTerminationRequested(uid),
      requestPodRelist: (ctx, uid) => {
        if (gates.PLEGOnDemandRelist) this.#pleg.requestPodRelist(ctx, uid);
      },
      resync: (ctx, pod) => this.podWorkers.updatePod(ctx, { updateType: 'update', startTime: ctx.clock.now(), pod }),
      runSignal: () => this.#requireRoot().signal,
    };
    const syncer: PodSyncer = {
      syncPod: (ctx, updateType, pod, mirrorPod, podStatus) => syncPod(parts, ctx, updateType, pod, mirrorPod, podStatus),
      syncTerminatingPod: (ctx, pod, podStatus, grace, edit) => syncTerminatingPod(parts, ctx, pod, podStatus, grace, edit),
      syncTerminatingRuntimePod: (ctx, runningPod) => syncTerminatingRuntimePod(parts, ctx, runningPod),
      syncTerminatedPod: (ctx, pod, podStatus) => syncTerminatedPod(parts, ctx, pod, podStatus),
    };
    this.podWorkers = new PodWorkers({ syncer, cache: podCache, workQueue, recorder, random, strictClock: this.#strictClock, tasks: this.#tasks });
    this.interventions = new KubeletInterventions({
      podManager,
      podCache,
      podWorkers: this.podWorkers,
      runtime: this.runtimeManager,
      backOff: () => this.#requireBackOff(),
      root: () => this.#requireRoot(),
    });
    this.#pleg = new GenericPleg({
      runtime: this.runtimeManager,
      cache: podCache,
      strictClock: this.#strictClock,
      deliver: (event) => this.#syncLoop.post({ channel: 'pleg', event }),
      containerType: (uid, name) => containerType(podManager.getPodByUID(uid), name),
    });
    const loopParts = {
      client,
      node,
      recorder,
      runtime: this.runtimeManager,
      podConfig: this.#config,
      podManager,
      podWorkers: this.podWorkers,
      statusManager: this.statusManager,
      resizeConditions,
      probeManager: this.probeManager,
      workQueue,
      directories: this.#directories,
      mirrorPods,
      containerDeletor: new ContainerDeletor({
        runtime: this.runtimeManager,
        cache: podCache,
        tasks: this.#tasks,
        shouldPodContentBeRemoved: (uid) => this.podWorkers.shouldPodContentBeRemoved(uid),
        containersToKeep: maxPerPodContainer,
      }),
      collectBackOffs: () => void this.#requireBackOff().gc(),
    };
    this.#syncLoop = new SyncLoop(loopParts, (now) => this.#runtimeState.runtimeErrors(now, this.#pleg.health(now)));
  }

  /** The sources of pods: each says what all of its pods are. */
  get podConfig(): { set(source: PodSource, pods: readonly Pod[]): void } {
    return this.#config;
  }

  /**
   * Runs all loops until the context is aborted; resolves when everything has stopped. Containers stay as they are.
   * A kubelet runs once.
   */
  async run(ctx: Context): Promise<void> {
    if (this.#root) throw new Error('this kubelet has run already: make a new one');
    const root = withThread(ctx, 'kubelet');
    this.#root = root;
    this.#backOff = new Backoff(ctx.clock, { initial: initialBackOff, max: maxBackOff, expireAfter: backOffExpiry });
    this.probeManager.start(root);
    this.podWorkers.start(root);
    await this.#directories.setupDataDirs();
    await updateRuntimeUp(root, this.runtimeManager, this.#runtimeState);
    const plegCtx = withThread(ctx, 'pleg');
    await this.#pleg.start(plegCtx);
    const loopCtx = withThread(ctx, 'syncLoop');
    this.#config.start(loopCtx, (update) => this.#syncLoop.post({ channel: 'config', update }));
    await Promise.all([
      this.#pleg.run(plegCtx),
      this.#syncLoop.run(loopCtx),
      this.statusManager.run(withThread(ctx, 'statusManager')),
      runtimeCheckLoop(root, this.runtimeManager, this.#runtimeState),
      garbageCollectionLoop(withThread(ctx, 'garbageCollection'), {
        runtime: this.runtimeManager,
        recorder: this.#deps.recorder,
        allSourcesReady: () => this.#config.allReady,
        shouldPodContentBeRemoved: (uid) => this.podWorkers.shouldPodContentBeRemoved(uid),
      }),
    ]);
    await this.#tasks.settled();
  }

  /** Something happened in the runtime: look at once. */
  requestRelist(): void {
    this.#pleg.requestRelist();
  }

  /**
   * Stops and removes every pod of ours, for the end of a run that leaves nothing behind. Call it when {@link run} has ended.
   * @param graceSeconds the longest grace period any container gets; default 10.
   */
  async stopAllPods(ctx: Context, graceSeconds?: number): Promise<void> {
    this.#evictAll = true;
    await stopAllPods(withThread(ctx, 'kubelet'), this.runtimeManager, (uid) => this.podManager.getPodByUID(uid), graceSeconds);
  }

  /**
   * The lines of a container's log.
   * @throws ContainerLogError when there is no such pod, container or instance, or it has not started yet.
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
    yield* this.#deps.containerRuntime.logs.containerLogs(ctx, id.id, { follow, tailLines, since });
  }

  #generateStatus(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    podIsTerminal: boolean,
    reasons: ReasonCache,
    resizeConditions: ResizeConditions,
  ): ApiPodStatus {
    const { uid } = pod.metadata;
    const cached = this.statusManager.getPodStatus(uid);
    return generateAPIPodStatus(ctx, {
      pod,
      podStatus,
      cached,
      podIsTerminal,
      reasons,
      probes: this.probeManager,
      nodeIPs: this.#deps.node.ips,
      shouldEvict: (candidate) => {
        if (!isPastActiveDeadline(candidate, cached, ctx.clock.now())) return undefined;
        this.#deps.recorder.event(ctx, candidate, 'Normal', deadlineExceeded.reason, deadlineExceeded.message);
        return deadlineExceeded;
      },
      resizeConditions: resizeConditions.get(uid),
      gates: featureGates(this.#deps.featureGates),
    });
  }

  /** Images may take long to pull; the API shows before that the sandbox is there. Upstream: OnPodSandboxReady. */
  async #onPodSandboxReady(ctx: Context, pod: Pod): Promise<void> {
    const status = this.statusManager.getPodStatus(pod.metadata.uid);
    if (!status) return;
    const conditions = status.conditions?.map((condition) =>
      condition.type === 'PodReadyToStartContainers' ? { ...condition, status: 'True' as const } : condition,
    );
    this.statusManager.setPodStatus(withPod(ctx, { uid: pod.metadata.uid, name: pod.metadata.name, namespace: pod.metadata.namespace ?? '' }), pod, {
      ...status,
      conditions,
    });
  }

  #requireRoot(): Context {
    if (!this.#root) throw new Error('the kubelet does not run yet');
    return this.#root;
  }

  #requireBackOff(): Backoff {
    if (!this.#backOff) throw new Error('the kubelet does not run yet');
    return this.#backOff;
  }

  #reportFailure(error: unknown): void {
    const root = this.#root;
    if (!root || root.signal.aborted) return;
    root.tracer.emit(root, { type: 'output', level: 'error', message: errorText(error) });
  }
}

/** Which kind of container of the pod a name is. */
function containerType(pod: Pod | undefined, name: string): 'init' | 'sidecar' | 'container' | 'ephemeral' | undefined {
  const init = pod?.spec.initContainers?.find((container) => container.name === name);
  if (init) return init.restartPolicy === 'Always' ? 'sidecar' : 'init';
  if (pod?.spec.containers.some((container) => container.name === name)) return 'container';
  return pod?.spec.ephemeralContainers?.some((container) => container.name === name) ? 'ephemeral' : undefined;
}
