/**
 * Computes one sync with the engine: the kubelet's generateAPIPodStatus and the runtime manager's SyncPod or KillPod,
 * on an observed runtime. Upstream: Kubelet.SyncPod, Kubelet.SyncTerminatingPod (v1.36 and v1.20).
 */
import { errorText } from '@podscope/base';
import { kubeletSyncPodPoints, kubeletSyncPodPointsV120, syncTerminatingPodPoints } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Container, Pod, ResourceRequirements } from '@podscope/k8s';
import { featureGates, kubeletProfiles, ReasonCache } from '@podscope/kubelet';
import {
  type ActuatedContainer,
  Backoff,
  type BackoffEntry,
  convertPodStatusToRunningPod,
  KubeGenericRuntimeManager,
  MemoryOS,
  NodeRuntimeHelper,
  type PodCgroups,
  type PodStatus,
  type ProbeResult,
  type ProbeResults,
  type Profile,
  type RunContainerOptions,
  type RuntimeHelper,
  type RuntimePod,
  resourceConfigForPod,
} from '@podscope/kuberuntime';
import { background, type Context, EventLog, instant, type TraceEvent, Tracer, VirtualClock } from '@podscope/trace';
import type { CallRecord } from '../inputs.ts';
import { containersOf } from '../state/probes.ts';
import {
  Conversation,
  ObservedImageService,
  type ObservedReads,
  ObservedRuntimeService,
  type Prediction,
} from './observed-runtime.ts';

/** The kubelet's memory of a pod between two syncs. */
export interface ShadowMemory {
  readonly backOffs: ReadonlyMap<string, BackoffEntry>;
  readonly imageBackOffs: ReadonlyMap<string, BackoffEntry>;
  /** By container name, the reason why the container could not be started. */
  readonly reasons: ReadonlyMap<string, { readonly error: string; readonly message: string }>;
  readonly status: ApiPodStatus | undefined;
  /** By container name, the resources that the kubelet applied last. */
  readonly actuated: ReadonlyMap<string, ResourceRequirements>;
}

export const noMemory: ShadowMemory = {
  backOffs: new Map(),
  imageBackOffs: new Map(),
  reasons: new Map(),
  status: undefined,
  actuated: new Map(),
};

export type SyncKind = 'sync' | 'terminating';

export interface ShadowInput {
  readonly profile: 'v1.36' | 'v1.20';
  readonly gates: Readonly<Record<string, boolean>>;
  readonly kind: SyncKind;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly start: number;
  readonly calls: readonly CallRecord[];
  /** Calls that were made either by the sync or by another part of the kubelet. */
  readonly optional: readonly CallRecord[];
  readonly memory: ShadowMemory;
  readonly reads: ObservedReads;
  readonly liveness: ReadonlyMap<string, ProbeResult>;
  readonly startup: ReadonlyMap<string, ProbeResult>;
  readonly runtimeName: string;
  readonly maxRestartPeriod: number;
  /** By container name, the configuration error that the pod's status reports. */
  readonly configErrors: ReadonlyMap<string, string>;
  /** The running containers and sandboxes of the pod, which a kill stops. Default: those of {@link podStatus}. */
  readonly running?: RuntimePod | undefined;
  /** True if the kubelet no longer has the pod's spec, so that it kills the containers that it finds in the runtime. */
  readonly isOrphan?: boolean;
  /** Changes the profile. Tests use it to break a rule. */
  readonly alter?: ((profile: Profile) => Profile) | undefined;
  /** The grace period, in seconds, with which the termination was requested. Default: the pod's own. */
  readonly gracePeriod?: number;
  /** True if the pulls of all images are assumed to be in back-off. */
  readonly assumesImageBackOff?: boolean;
  /**
   * The back-off, in milliseconds, that is assumed for every exited container without a back-off entry or with a
   * shorter one.
   */
  readonly assumedBackOff?: number;
  /** The log files of earlier containers that are assumed to exist: the number of the newest, by container name. */
  readonly assumedLogs: ReadonlyMap<string, number>;
  /** True if the pod's volumes are assumed not to be mounted. */
  readonly assumesUnmounted?: boolean;
  /** False if the runtime reports that the network of pods isn't ready. */
  readonly isNetworkReady: boolean;
  /** True if httpGet hooks are assumed to fail. */
  readonly httpHooksFail: boolean;
  /** True if the termination of the pod was requested during the sync. */
  readonly terminationRequested: boolean;
}

export interface ShadowOutcome {
  readonly predictions: readonly Prediction[];
  readonly unmatched: readonly CallRecord[];
  /** For each call of the engine, in order: the number of the genuine call that answered it, or undefined. */
  readonly answers: readonly (number | undefined)[];
  /**
   * True if the pod's phase is terminal. Then the kubelet's SyncPod ends before it calls the SyncPod of the runtime
   * manager.
   */
  readonly isTerminal: boolean;
  readonly results: readonly { readonly action: string; readonly target: string; readonly error: string | undefined }[];
  readonly memory: ShadowMemory;
  /** The ids of the containers that the sync removed without their log files. */
  readonly keptLogs: readonly string[];
  /** The spans, decisions, back-offs and results of the sync, numbered independently of the log. */
  readonly events: readonly TraceEvent[];
}

const resultsOf = (results: ReadonlyMap<string, ProbeResult>): ProbeResults => ({ get: ({ id }) => results.get(id) });

const noOptions: RunContainerOptions = {
  envs: [],
  mounts: [],
  devices: [],
  cdiDevices: [],
  annotations: [],
  podContainerDir: '',
  hostname: '',
};

/** The back-off after the first restart, in milliseconds. */
export const initialBackOff = 10_000;

function restored(clock: VirtualClock, max: number, entries: ReadonlyMap<string, BackoffEntry>): Backoff {
  const backOff = new Backoff(clock, { initial: Math.min(initialBackOff, max), max, expireAfter: 600_000 });
  for (const [key, entry] of entries) backOff.restore(key, entry);
  return backOff;
}

/**
 * Returns the functions with which the kubelet prepares containers. Mounts and environments are left empty, because
 * they don't affect which calls are made.
 */
function helperOf(base: RuntimeHelper, input: ShadowInput): RuntimeHelper {
  return {
    generateRunContainerOptions: (_ctx, _pod, container) => {
      const error = input.configErrors.get(container.name);
      return error === undefined ? Promise.resolve({ options: noOptions }) : Promise.reject(new Error(error));
    },
    getPodDNS: (ctx, pod) => base.getPodDNS(ctx, pod),
    getPodCgroupParent: (pod) => base.getPodCgroupParent(pod),
    getPodDir: (uid) => base.getPodDir(uid),
    generatePodHostNameAndDomain: (pod) => base.generatePodHostNameAndDomain(pod),
    getExtraSupplementalGroupsForPod: (pod) => base.getExtraSupplementalGroupsForPod(pod),
    isPodTerminationRequested: () => input.terminationRequested,
    onPodSandboxReady: () => Promise.resolve(),
  };
}

/** Facts about the node that only affect the content of messages. */
const node = {
  ips: [],
  rootDir: '/var/lib/kubelet',
  clusterDNS: [],
  clusterDomain: 'cluster.local',
  readResolvConf: () => Promise.resolve(''),
  readHostsFile: () => Promise.resolve(''),
  cgroupDriver: 'systemd',
  cgroupsPerQOS: true,
  allocatable: { cpu: '64', memory: '256Gi' },
} as const;

const podLogsDir = '/var/log/pods';

/** The files of the node, which no source reports. Only the log files of earlier containers are assumed to exist. */
class ShadowOS extends MemoryOS {
  readonly #logs: ReadonlyMap<string, number>;

  constructor(logs: ReadonlyMap<string, number> = new Map()) {
    super();
    this.#logs = logs;
  }

  override readDir(path: string): Promise<readonly string[]> {
    const newest = path.startsWith(podLogsDir) ? this.#logs.get(path.slice(path.lastIndexOf('/') + 1)) : undefined;
    return newest === undefined ? super.readDir(path) : Promise.resolve([`${newest}.log`]);
  }
}

/**
 * Assumed facts about the machine, which no source reports. Where the kubelet has a default, the value is the default.
 */
const machine = {
  memoryBytes: 256 * 1024 ** 3,
  hugePageSizes: [],
  cpuCFSQuota: true,
  cgroupVersion: 2,
  seccompDefault: false,
  seccompProfileRoot: '/var/lib/kubelet/seccomp',
} as const;

/** Returns the pod's cgroup, as it follows from the resources that the kubelet applied last. */
function cgroupsOf(input: ShadowInput): PodCgroups {
  const applied = new Map(actuatedBefore(input).map(({ container, resources }) => [container, resources]));
  const before = (container: Container): Container => {
    const resources = applied.get(container.name);
    return resources ? { ...container, resources } : container;
  };
  const { spec, ...rest } = input.pod;
  const initContainers = spec.initContainers?.map(before);
  const pod: Pod = {
    ...rest,
    spec: { ...spec, containers: spec.containers.map(before), ...(initContainers ? { initContainers } : {}) },
  };
  const gates = featureGates(input.gates, kubeletProfiles[input.profile].gates);
  let config = resourceConfigForPod(pod, { node: machine, gates });
  return {
    getPodCgroupConfig: () => Promise.resolve(config),
    setPodCgroupConfig: (_ctx, _pod, change) => {
      config = { ...config, ...change };
      return Promise.resolve();
    },
    memoryUsage: () => Promise.resolve({ pod: undefined, containers: {} }),
  };
}

function managerOf(input: ShadowInput, conversation: Conversation): KubeGenericRuntimeManager {
  const released = kubeletProfiles[input.profile].runtime;
  const profile = input.alter?.(released) ?? released;
  const os = new ShadowOS(input.assumedLogs);
  const recorder = { event: () => undefined, nodeEvent: () => undefined };
  const helper = new NodeRuntimeHelper({
    node,
    os,
    recorder,
    sources: {
      getConfigMap: () => Promise.resolve(undefined),
      getSecret: () => Promise.resolve(undefined),
      listServices: () => Promise.resolve([]),
    },
    mountedVolumes: () => new Map(),
    isPodTerminationRequested: () => input.terminationRequested,
    onPodSandboxReady: () => Promise.resolve(),
    profile: profile.helper,
  });
  return new KubeGenericRuntimeManager({
    containerRuntime: {
      name: input.runtimeName,
      runtime: new ObservedRuntimeService(conversation),
      images: new ObservedImageService(conversation),
      logs: {
        async *containerLogs() {
          // Container logs can't be observed.
        },
      },
    },
    helper: helperOf(helper, input),
    os,
    recorder,
    liveness: resultsOf(input.liveness),
    startup: resultsOf(input.startup),
    http: {
      get: () => (input.httpHooksFail ? Promise.reject(new Error('the hook failed')) : Promise.resolve(undefined)),
    },
    podState: {
      isPodTerminationRequested: () => input.terminationRequested,
      shouldPodContentBeRemoved: () => false,
      shouldPodRuntimeBeRemoved: () => false,
    },
    node: machine,
    cgroups: cgroupsOf(input),
    podLogsDir,
    random: () => 0,
    profile,
    featureGates: input.gates,
    imagePulls: { serialize: false, qps: 0 },
    lookupRuntimeHandler: (name) => Promise.resolve(name),
  });
}

/**
 * Returns the resources that the kubelet applied to the pod's containers before the sync. The kubelet keeps them in a
 * file. For a container that started before the observation, the function assumes that no resize is in progress.
 */
function actuatedBefore({ pod, podStatus, memory }: ShadowInput): readonly ActuatedContainer[] {
  return containersOf(pod).flatMap(({ name, resources }) => {
    const isRunning = podStatus.containerStatuses.some((each) => each.name === name && each.state === 'running');
    const applied = memory.actuated.get(name) ?? (isRunning ? resources : undefined);
    return applied ? [{ pod, container: name, resources: applied }] : [];
  });
}

/** Returns the steps of the kubelet's sync functions that the shadow engine computes. */
const stepsOf = (profile: ShadowInput['profile']) =>
  profile === 'v1.36'
    ? {
        syncing: { ...kubeletSyncPodPoints, killPod: syncTerminatingPodPoints.killPod },
        terminating: syncTerminatingPodPoints,
      }
    : { syncing: kubeletSyncPodPointsV120, terminating: kubeletSyncPodPointsV120 };

/** Computes one sync. */
export async function runShadow(input: ShadowInput): Promise<ShadowOutcome> {
  const { pod, podStatus, memory } = input;
  const { uid, name, namespace = '' } = pod.metadata;
  const clock = new VirtualClock(instant(input.start));
  const log = new EventLog(clock);
  const ctx = { ...background(clock, new Tracer(log), uid), pod: { uid, name, namespace } };
  const conversation = new Conversation({ calls: input.calls, optional: input.optional, reads: input.reads, clock });
  const manager = managerOf(input, conversation);
  await manager.start(actuatedBefore(input));
  const backOff = restored(clock, input.maxRestartPeriod, memory.backOffs);
  if (input.assumedBackOff !== undefined) {
    for (const container of containersOf(pod)) {
      const key = manager.containerBackOffKey(pod, container);
      const exited = podStatus.containerStatuses.find((each) => each.name === container.name && each.finishedAt);
      // Exits before the observation have doubled the back-off, so an entry from later exits may be too short.
      const isLonger = (memory.backOffs.get(key)?.backoff ?? -1) < input.assumedBackOff;
      if (isLonger && exited?.startedAt !== undefined)
        backOff.restore(key, { backoff: input.assumedBackOff, lastUpdate: exited.startedAt });
    }
  }
  const imageBackOff = manager.imageBackOff(ctx);
  for (const [key, entry] of memory.imageBackOffs) imageBackOff.restore(key, entry);
  if (input.assumesImageBackOff) {
    for (const { image = '' } of containersOf(pod))
      imageBackOff.restore(`${uid}_${image}`, { backoff: input.maxRestartPeriod, lastUpdate: instant(input.start) });
  }
  const reasons = new ReasonCache();
  for (const [container, item] of memory.reasons) reasons.restore(uid, container, item);
  const profile = kubeletProfiles[input.profile];
  const gates = featureGates(input.gates, profile.gates);
  const statusOf = (inner: Context, podIsTerminal: boolean): ApiPodStatus =>
    profile.generateAPIPodStatus(inner, {
      pod,
      podStatus,
      cached: memory.status,
      podIsTerminal,
      reasons,
      probes: {
        result: (type, id) => (type === 'liveness' ? input.liveness : input.startup).get(id.id),
        hasWorker: (type, _uid, container) =>
          containersOf(pod).some((each) => each.name === container && each[`${type}Probe`] !== undefined),
        triggerReadiness: () => undefined,
        startTime: instant(0),
      },
      nodeIPs: [],
      shouldEvict: () => undefined,
      resizeConditions: [],
      gates,
    });
  const outcome: { isTerminal: boolean; results: ShadowOutcome['results']; status: ApiPodStatus | undefined } = {
    isTerminal: false,
    results: [],
    status: memory.status,
  };
  let restartAll = false;
  const kill = async (inner: Context): Promise<void> => {
    const running = input.running ?? convertPodStatusToRunningPod(input.runtimeName, podStatus);
    // A failed kill needs no handling here: the genuine worker retries it, and the failure is visible in the calls.
    await manager.killPod(inner, input.isOrphan ? undefined : pod, running, input.gracePeriod).catch(() => undefined);
  };
  const work = async (): Promise<void> => {
    const isTerminating = input.kind === 'terminating';
    const steps = stepsOf(input.profile);
    const computed = isTerminating ? steps.terminating.generateAPIPodStatus : steps.syncing.generateAPIPodStatus;
    const status = await ctx.tracer.span(ctx, computed, { podStatus }, (inner) => {
      const generated = statusOf(inner, false);
      inner.span.set({ status: generated });
      return generated;
    });
    outcome.status = status;
    if (isTerminating) return ctx.tracer.span(ctx, steps.terminating.killPod, {}, kill);
    outcome.isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
    if (outcome.isTerminal && input.profile === 'v1.36') return;
    if (input.profile === 'v1.20' && (status.phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined))
      return ctx.tracer.span(ctx, steps.syncing.killPod, {}, kill);
    // Upstream: Kubelet.SyncPod returns NetworkNotReady (v1.36 and v1.20).
    if (!input.isNetworkReady && pod.spec.hostNetwork !== true) return;
    // Upstream: Kubelet.SyncPod returns the error of WaitForAttachAndMount.
    if (input.assumesUnmounted) return;
    restartAll =
      gates.RestartAllContainersOnContainerExits &&
      (status.conditions?.some((each) => each.type === 'AllContainersRestarting' && each.status === 'True') ?? false);
    const result = await ctx.tracer.span(ctx, steps.syncing.runtimeSyncPod, { restartAll }, (inner) =>
      manager.syncPod(inner, pod, podStatus, [], backOff, restartAll),
    );
    reasons.update(uid, result);
    outcome.results = result.syncResults.map(({ action, target, error }) => ({
      action,
      target,
      error: error && errorText(error),
    }));
  };
  await clock.advanceWhile(work());
  const kept = containersOf(pod).flatMap((container) => {
    const item = reasons.get(uid, container.name);
    return item ? [[container.name, item] as const] : [];
  });
  // Upstream: SyncPod removes the containers of a pod that restarts as a whole with removeContainer(keepLogs) (v1.36).
  const keptLogs = conversation.predictions
    .filter(({ method, call }) => restartAll && method === 'RemoveContainer' && call !== undefined)
    .map(({ target }) => target);
  return {
    keptLogs,
    predictions: conversation.predictions,
    unmatched: conversation.unmatched(),
    answers: conversation.answers,
    isTerminal: outcome.isTerminal,
    results: outcome.results,
    memory: {
      backOffs: new Map(backOff.entries()),
      imageBackOffs: new Map(imageBackOff.entries()),
      reasons: new Map(kept),
      status: outcome.status,
      actuated: new Map(manager.actuated(pod).map(({ container, resources }) => [container, resources])),
    },
    events: log.after(0),
  };
}
