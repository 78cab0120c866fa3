/**
 * Replays a recorded pod lifecycle round by round. The engine runs with the fake runtime, and each round's outcome is
 * formatted as the recordings are.
 */
import type { Pod } from '@podscope/k8s';
import { background, type Context, parseTime, type Tracer, VirtualClock } from '@podscope/trace';
import { Backoff } from '../flowcontrol/backoff.ts';
import type { MountedVolume } from '../helper/mounts.ts';
import { NodeRuntimeHelper } from '../helper/runtime-helper.ts';
import { KubeGenericRuntimeManager } from '../manager.ts';
import { MemoryOS } from '../memory-os.ts';
import { runtimeGates } from '../profiles/gates.ts';
import type { PodCgroups } from '../resize/pod-cgroups.ts';
import { mergeResourceConfig, resourceConfigForPod } from '../resize/pod-resource-config.ts';
import { convertPodStatusToRunningPod, type PodStatus, type ProbeResult, type ProbeResults } from '../runtime.ts';
import type { Profile } from '../runtime-dependencies.ts';
import { PodSyncResult } from '../sync/sync-result.ts';
import type { FakeRules } from './fake-rules.ts';
import { FakeImageService, FakeNode, FakeRuntimeService } from './fake-runtime.ts';
import { protoJSON } from './proto-json.ts';
import type { RecordingNode } from './recording-node.ts';
import type { SyncRound, SyncVector } from './vectors.ts';

/** The inputs of a replay of a pod lifecycle. */
export interface SyncReplayOptions {
  readonly profile: Profile;
  readonly rules: FakeRules;
  readonly node: RecordingNode;
  readonly tracer: Tracer;
}

/** The outcome of a round, in the format of the recordings. */
export type RoundOutcome = Readonly<Record<string, unknown>>;

const memoryUsage = 52_428_800;

const find = <T extends { readonly metadata: { readonly name: string; readonly namespace?: string } }>(
  all: readonly T[] | undefined,
  namespace: string,
  name: string,
): Promise<T | undefined> =>
  Promise.resolve(all?.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace));

class Probes implements ProbeResults {
  readonly results = new Map<string, ProbeResult>();

  get(id: { readonly type: string; readonly id: string }): ProbeResult | undefined {
    return this.results.get(id.id);
  }
}

/** Replays the lifecycle of one pod. */
export class SyncReplay {
  readonly #vector: SyncVector;
  readonly #options: SyncReplayOptions;
  readonly #clock: VirtualClock;
  readonly #ctx: Context;
  readonly #fake: FakeNode;
  readonly #manager: KubeGenericRuntimeManager;
  readonly #backOff: Backoff;
  readonly #probes = { liveness: new Probes(), startup: new Probes() };
  /** Container names by back-off key. */
  readonly #keys = new Map<string, string>();
  #events: Record<string, unknown>[] = [];
  #pod: Pod;
  #deletion: Partial<Pod['metadata']> = {};
  #terminationRequested = false;

  constructor(vector: SyncVector, options: SyncReplayOptions) {
    const { profile, rules, node, tracer } = options;
    this.#vector = vector;
    this.#options = options;
    this.#clock = new VirtualClock(parseTime(vector.start));
    this.#ctx = background(this.#clock, tracer);
    this.#pod = vector.pod;
    this.#backOff = new Backoff(this.#clock, { initial: 10_000, max: 300_000, expireAfter: 600_000 });
    const os = new MemoryOS();
    const { images, imageUsers = {}, stopExitCode, objects, gates } = vector;
    this.#fake = new FakeNode({ clock: this.#clock, os, rules, images, imageUsers, stopExitCode });
    const recorder = {
      event: (
        _ctx: Context,
        _pod: Pod,
        type: string,
        reason: string,
        message: string,
        container?: { readonly name: string },
      ): void => void this.#events.push({ type, reason, message, container: container?.name ?? null }),
      nodeEvent: (): void => undefined,
    };
    const helper = new NodeRuntimeHelper({
      node: node.helper,
      os,
      recorder,
      sources: {
        getConfigMap: (namespace, name) => find(objects.configMaps, namespace, name),
        getSecret: (namespace, name) => find(objects.secrets, namespace, name),
        listServices: () => Promise.resolve(objects.services ?? []),
      },
      mountedVolumes: (pod) => mountedVolumes(pod, node.helper.rootDir),
      isPodTerminationRequested: () => this.#terminationRequested,
      onPodSandboxReady: () => Promise.resolve(),
      podLevelResources: runtimeGates(profile.gates, gates).PodLevelResources,
      profile: profile.helper,
    });
    this.#manager = new KubeGenericRuntimeManager({
      containerRuntime: {
        name: node.runtimeName,
        runtime: new FakeRuntimeService(this.#fake),
        images: new FakeImageService(this.#fake),
        logs: { containerLogs: noLogs },
      },
      helper,
      os,
      recorder,
      ...this.#probes,
      http: { get: ({ url }) => this.#fake.call(this.#ctx, 'LifecycleHTTP', { url }, () => ({ value: undefined })) },
      podState: {
        isPodTerminationRequested: () => false,
        shouldPodContentBeRemoved: () => false,
        shouldPodRuntimeBeRemoved: () => false,
      },
      node: node.runtime,
      podLogsDir: node.podLogsDir,
      random: () => 0,
      profile,
      featureGates: gates,
      imagePulls: { serialize: false, qps: 0 },
      cgroups: this.#cgroups(),
    });
  }

  /** Returns the pod's cgroup, which is kept in memory. It initially matches the first version of the pod. */
  #cgroups(): PodCgroups {
    const { profile, node } = this.#options;
    const facts = { node: node.runtime, gates: runtimeGates(profile.gates, this.#vector.gates) };
    let config = mergeResourceConfig(
      { cpuQuota: -1, cpuPeriod: 100_000, memory: -1 },
      resourceConfigForPod(this.#vector.pod, facts),
    );
    return {
      getPodCgroupConfig: (_ctx, _pod, resource) =>
        Promise.resolve(
          resource === 'memory'
            ? { memory: config.memory }
            : { cpuShares: config.cpuShares, cpuQuota: config.cpuQuota, cpuPeriod: config.cpuPeriod },
        ),
      setPodCgroupConfig: (ctx, _pod, change) =>
        this.#fake.call(ctx, 'SetPodCgroupConfig', { resources: protoJSON(change) }, () => {
          config = mergeResourceConfig(config, change);
          return { value: undefined };
        }),
      memoryUsage: (_ctx, pod) => {
        const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map(({ name }) => name);
        return Promise.resolve({
          pod: memoryUsage,
          containers: Object.fromEntries(names.map((name) => [name, memoryUsage])),
        });
      },
    };
  }

  /** Returns the current pod. */
  get pod(): Pod {
    return { ...this.#pod, metadata: { ...this.#pod.metadata, ...this.#deletion } };
  }

  /** Plays the next round. Returns undefined for a round that only changes the pod, the runtime or the clock. */
  async play(round: SyncRound): Promise<RoundOutcome | undefined> {
    if (round.do === 'sync') return this.#sync(round.restartAllContainers ?? false);
    if (round.do === 'kill') return this.#kill(round.gracePeriod);
    if (round.do === 'advance') await this.#clock.advance(round.seconds * 1000);
    else this.#change(round);
    return undefined;
  }

  #change(round: Exclude<SyncRound, { readonly do: 'sync' | 'kill' | 'advance' }>): void {
    const { faults } = this.#fake;
    switch (round.do) {
      case 'exit': {
        const container = this.#fake.newest(round.container, true);
        if (container)
          this.#fake.exit(container, round.exitCode, round.reason ?? (round.exitCode === 0 ? 'Completed' : 'Error'));
        break;
      }
      case 'probe': {
        const container = this.#fake.newest(round.container, false);
        if (container) this.#probes[round.kind].results.set(container.id, round.result);
        break;
      }
      case 'sandboxDies':
        this.#fake.sandboxDies(round.exitCode);
        break;
      case 'fail':
        faults.fail(round);
        break;
      case 'delay':
        faults.delay(round);
        break;
      case 'clearFailures':
        faults.clear(round.method);
        break;
      case 'edit':
        this.#pod = round.pod;
        break;
      case 'terminationRequested':
        this.#terminationRequested = true;
        if (round.gracePeriodSeconds !== undefined) {
          this.#deletion = {
            deletionTimestamp: this.#vector.start,
            deletionGracePeriodSeconds: round.gracePeriodSeconds,
          };
        }
        break;
      default:
        throw new Error(`the recording has a round that is unknown: ${JSON.stringify(round)}`);
    }
  }

  /** Returns a function that syncs the current pod and can be called repeatedly, for measurements. */
  async prepareSync(): Promise<() => Promise<PodSyncResult>> {
    const podStatus = await this.#podStatus();
    const { pod } = this;
    return () => this.#manager.syncPod(this.#ctx, pod, podStatus, [], this.#backOff, false);
  }

  async #sync(restartAllContainers: boolean): Promise<RoundOutcome> {
    const podStatus = await this.#podStatus();
    const { pod } = this;
    const { result, elapsed, outcome } = await this.#record(() =>
      this.#manager.syncPod(
        this.#ctx,
        pod,
        podStatus,
        this.#vector.pullSecrets ?? [],
        this.#backOff,
        restartAllContainers,
      ),
    );
    const sorted = sortedByTarget(result);
    return {
      ...outcome,
      ...elapsed,
      syncResults: sorted.syncResults.map(({ action, target, error, message }) => ({
        action,
        target,
        error: error?.message ?? null,
        message,
      })),
      syncError: result.syncError?.message ?? null,
      resultError: sorted.error()?.message ?? null,
    };
  }

  async #kill(gracePeriod: number | null): Promise<RoundOutcome> {
    const podStatus = await this.#podStatus();
    const running = convertPodStatusToRunningPod(this.#options.node.runtimeName, podStatus);
    const { result, elapsed, outcome } = await this.#record(async () => {
      try {
        await this.#manager.killPod(this.#ctx, this.pod, running, gracePeriod ?? undefined);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    return { ...outcome, ...elapsed, error: result };
  }

  /** Runs `work`, records its calls, and advances the clock while it waits. */
  async #record<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly elapsed: { readonly elapsed?: number }; readonly outcome: RoundOutcome }> {
    const fake = this.#fake;
    fake.calls = [];
    this.#events = [];
    fake.recording = true;
    const start = this.#clock.now();
    const result = await this.#clock.advanceWhile(work());
    const seconds = (this.#clock.now() - start) / 1000;
    fake.recording = false;
    return {
      result,
      elapsed: seconds > 0 ? { elapsed: seconds } : {},
      outcome: {
        calls: fake.calls,
        events: this.#events,
        backoff: this.#containerBackOffs(),
        imageBackoff: this.#imageBackOffs(),
      },
    };
  }

  #containerBackOffs(): Record<string, unknown> {
    const { profile } = this.#options;
    const { spec } = this.#pod;
    for (const container of [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])]) {
      this.#keys.set(profile.backOffKey(this.#pod, container), container.name);
    }
    return describeBackOff(this.#backOff, (key) => ({ container: this.#keys.get(key) }));
  }

  #imageBackOffs(): Record<string, unknown> {
    return describeBackOff(this.#manager.imageBackOff(this.#ctx), () => ({}));
  }

  /** Returns the pod's status as the kubelet's PLEG would read it. */
  async #podStatus(): Promise<PodStatus> {
    const { uid, name, namespace = '' } = this.#pod.metadata;
    const pods = await this.#manager.getPods(this.#ctx, true);
    const record = pods.find(({ id }) => id === uid) ?? {
      id: uid,
      name,
      namespace,
      createdAt: this.#clock.now(),
      containers: [],
      sandboxes: [],
    };
    const status = await this.#manager.getPodStatus(this.#ctx, record);
    return this.#pod.spec.hostNetwork ? { ...status, ips: this.#options.node.helper.ips } : status;
  }
}

/** Returns an empty log, because no container has written one. */
async function* noLogs(): AsyncGenerator<never> {}

/** Sorts the results by target, because kills run in parallel and finish in any order. */
function sortedByTarget(result: PodSyncResult): PodSyncResult {
  const sorted = new PodSyncResult();
  const kills = result.syncResults
    .filter(({ action }) => action === 'KillContainer')
    .toSorted((a, b) => (a.target < b.target ? -1 : 1));
  sorted.syncResults.push(
    ...result.syncResults.map((entry) => (entry.action === 'KillContainer' ? (kills.shift() ?? entry) : entry)),
  );
  sorted.syncError = result.syncError;
  return sorted;
}

function describeBackOff(backOff: Backoff, more: (key: string) => Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    [...backOff.entries()].map(([key, entry]) => [
      key,
      { seconds: entry.backoff / 1000, lastUpdate: entry.lastUpdate, ...more(key) },
    ]),
  );
}

function mountedVolumes({ metadata, spec }: Pod, rootDir: string): ReadonlyMap<string, MountedVolume> {
  const volumes = new Map<string, MountedVolume>();
  for (const { name, emptyDir, configMap, secret, hostPath } of spec.volumes ?? []) {
    const plugin = emptyDir ? 'empty-dir' : configMap ? 'configmap' : secret ? 'secret' : undefined;
    if (hostPath) volumes.set(name, { hostPath: hostPath.path, readOnly: false });
    else if (plugin)
      volumes.set(name, {
        hostPath: `${rootDir}/pods/${metadata.uid}/volumes/kubernetes.io~${plugin}/${name}`,
        readOnly: plugin !== 'empty-dir',
      });
  }
  return volumes;
}
