/**
 * Runs a recording's pod on a standalone kubelet over the simulated runtime, on virtual time, and returns the
 * observations.
 */
import type { ContainerEventType } from '@podscope/cri';
import { findContainerFieldPath, type Pod } from '@podscope/k8s';
import { Kubelet } from '@podscope/kubelet';
import { MemoryOS } from '@podscope/kuberuntime';
import { parseStaticPod } from '@podscope/server/node';
import { createSimulator, type SimulatedRuntime } from '@podscope/simulated-runtime';
import { background, EventLog, instant, type TraceEvent, Tracer, VirtualClock } from '@podscope/trace';
import {
  type EngineEvent,
  type KubeletEvent,
  lastAction,
  nodeNameOf,
  profileOf,
  type RecordedAction,
  type Recording,
  statusSchema,
} from '../recording.ts';
import { configOperation } from '../run/config-operation.ts';
import type { ContainerIdentity } from '../run/engine-trace.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';
import { standaloneClient } from '../run/standalone-client.ts';

/** Interval in ms at which statuses are polled, as in the recordings. */
const pollInterval = 200;
/** Time in ms for the loops of a new kubelet to settle before the manifest appears. */
const warmUp = 2500;
/**
 * Time in ms from a new manifest to the start of its probes on the recordings' machine. A probe whose period divides
 * the time of the removal is due only after the removal.
 */
const startDelay = 13;
/** Time in ms after the last action: the longest grace period and the housekeeping after it. */
const settleTime = 45_000;

/**
 * Latencies in ms that a Docker engine has on the recordings' machine (README of the recordings: 320 ms from the create
 * to the start of a sandbox, 115 for a container).
 */
const latencies = { RunPodSandbox: 200, 'CNI ADD': 120, CreateContainer: 40, StartContainer: 75, ExecSync: 40 };

/**
 * The constant random number for the kubelet's jitter. With a jitter factor of 0.5, a delay becomes 5 % longer, as in
 * the recorded crash loops.
 */
const jitter = 0.1;

/** An observed run, with all events that the kubelet recorded in its log. */
export interface SimulatedRun extends ReplayObservations {
  readonly log: readonly TraceEvent[];
}

const actionOf: Partial<Record<ContainerEventType, string>> = {
  CONTAINER_CREATED_EVENT: 'create',
  CONTAINER_STARTED_EVENT: 'start',
  CONTAINER_STOPPED_EVENT: 'die',
};

/** Collects the runtime's events in the form of the recordings' engine events. */
class RuntimeTrace {
  readonly events: (EngineEvent & { readonly uid: string; readonly id: string })[] = [];
  readonly creates = new Map<string, never[]>();
  readonly ids = new Map<string, ContainerIdentity>();
  readonly podIPs = new Set<string>();

  async follow(runtime: SimulatedRuntime, signal: AbortSignal, clock: VirtualClock, now: () => number): Promise<void> {
    const ctx = background(clock, new Tracer(), 'twin', signal);
    for await (const event of runtime.runtime.getContainerEvents(ctx, {})) {
      const { containerId: id, podSandboxStatus, containersStatuses, containerEventType } = event;
      const action = actionOf[containerEventType];
      if (!podSandboxStatus || action === undefined) continue;
      const status = containersStatuses.find((each) => each.id === id);
      const { name: container, attempt } = status?.metadata ?? { ...podSandboxStatus.metadata, name: 'POD' };
      const { uid } = podSandboxStatus.metadata;
      if (podSandboxStatus.network?.ip) this.podIPs.add(podSandboxStatus.network.ip);
      this.ids.set(id, { container, attempt, uid });
      const exitCode = action === 'die' && status ? { exitCode: String(status.exitCode) } : {};
      this.events.push({ t: now(), action, container, attempt, uid, id, ...exitCode });
    }
  }
}

/** Runs the recorded pod and returns the observations. The recorded actions are performed at their recorded times. */
export async function simulate(recording: Recording): Promise<SimulatedRun> {
  const clock = new VirtualClock();
  const start = clock.now() + warmUp;
  const now = (): number => Math.round(clock.now() - start);
  const [log, os, controller] = [new EventLog(clock, 200_000), new MemoryOS(), new AbortController()];
  const runtime = createSimulator({
    clock,
    hostFiles: os,
    latencies,
    name: 'docker',
    release: profileOf(recording),
    images: ['busybox:1.36', 'busybox:local'],
    registries: [{ host: '127.0.0.1:1', failure: 'connection refused' }],
  });
  const events: KubeletEvent[] = [];
  const kubelet = standaloneKubelet(recording, runtime, os, (event) => events.push({ t: now(), ...event }));
  const trace = new RuntimeTrace();
  const following = trace.follow(runtime, controller.signal, clock, now);
  const ended = kubelet.run(background(clock, new Tracer(log), 'node', controller.signal));
  const uids: string[] = [];
  const statuses: ReplayObservations['statuses'][number][] = [];
  const poll = (): void => {
    for (const uid of uids) {
      const pod = kubelet.podManager.getPodByUID(uid);
      const last = statuses.findLast((seen) => seen.uid === uid);
      if (!pod && !last) continue;
      const shown = pod && (kubelet.statusManager.getPodStatus(uid) ?? pod.status ?? {});
      const status = shown && statusSchema.parse(JSON.parse(JSON.stringify(shown)));
      if (!last || JSON.stringify(last.status) !== JSON.stringify(status)) statuses.push({ t: now(), uid, status });
    }
  };
  const advance = async (t: number): Promise<void> => {
    for (let at = now() + pollInterval; at < t; at += pollInterval) {
      await clock.advanceTo(instant(start + at));
      poll();
    }
    await clock.advanceTo(instant(start + t));
    poll();
  };
  const setPods = (pods: readonly Pod[]): void => kubelet.podConfig.set('file', pods);
  setPods([]);
  for (const action of recording.actions.toSorted((a, b) => a.t - b.t)) {
    await advance(action.t + (action.action === 'manifest written' ? startDelay : 0));
    await perform(recording, action, { uids, setPods, runtime, trace });
  }
  await advance(lastAction(recording) + settleTime);
  controller.abort(new DOMException('the run is over', 'AbortError'));
  await Promise.all([following, ended]);
  return {
    uids,
    statuses,
    events,
    operations: log.after(0).flatMap((event) => configOperation(event) ?? []),
    trace,
    rootDir: '/var/lib/kubelet',
    keepsCgroups: true,
    podDir: [],
    podIPs: [...trace.podIPs],
    trouble: [],
    log: log.after(0),
  };
}

interface SimulationDependencies {
  readonly uids: string[];
  readonly setPods: (pods: readonly Pod[]) => void;
  readonly runtime: SimulatedRuntime;
  readonly trace: RuntimeTrace;
}

/**
 * Performs a recorded action.
 * @throws Error for a kind of action that doesn't occur in these recordings
 */
async function perform(
  recording: Recording,
  { action, manifest, id }: RecordedAction,
  { uids, setPods, runtime, trace }: SimulationDependencies,
): Promise<void> {
  if (action === 'manifest removed') return setPods([]);
  if (action === 'manifest written' || action === 'manifest replaced') {
    const pod = parseStaticPod(JSON.stringify(manifest ?? recording.manifest), {
      path: `/etc/kubernetes/manifests/${recording.name}.json`,
      nodeName: nodeNameOf(recording),
      profile: profileOf(recording),
    });
    if (!uids.includes(pod.metadata.uid)) uids.push(pod.metadata.uid);
    return setPods([pod]);
  }
  const [sandbox] = [...trace.ids].filter(([, identity]) => identity.container === 'POD').at(-1) ?? [];
  if (action !== 'engine: kill KILL' || id !== '<POD#0>' || sandbox === undefined)
    throw new Error(`the action ${JSON.stringify(action)} can't be repeated here`);
  return runtime.stopSandboxFromOutside(sandbox);
}

function standaloneKubelet(
  recording: Recording,
  runtime: SimulatedRuntime,
  os: MemoryOS,
  onEvent: (event: Pick<KubeletEvent, 'type' | 'reason' | 'message' | 'fieldPath'>) => void,
): Kubelet {
  return new Kubelet({
    profile: profileOf(recording),
    standalone: true,
    containerRuntime: runtime,
    client: standaloneClient,
    recorder: {
      event: (_ctx, pod, type, reason, message, container) =>
        onEvent({
          type,
          reason,
          message,
          fieldPath: container && findContainerFieldPath(pod, container.name),
        }),
      nodeEvent: () => undefined,
    },
    os,
    http: runtime.network,
    cgroups: runtime.cgroups,
    node: {
      name: nodeNameOf(recording),
      ips: ['192.168.77.10'],
      rootDir: '/var/lib/kubelet',
      podLogsDir: '/var/log/pods',
      legacyLogDir: '/var/log/containers',
      memoryBytes: 8 * 1024 ** 3,
      cpus: 2,
      hugePageSizes: [],
      clusterDNS: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      readResolvConf: () => Promise.resolve(''),
      readHostsFile: () => Promise.resolve(''),
      cgroupDriver: 'cgroupfs',
      cgroupVersion: 1,
      cgroupsPerQOS: true,
      cpuCFSQuota: true,
      seccompDefault: false,
      maxPods: 110,
    },
    random: () => jitter,
    sources: ['file'],
  });
}
