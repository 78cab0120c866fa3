/**
 * `/metrics` under the kubelet's names, counted from the event log: whatever the pictures show, the numbers count. Upstream:
 * pkg/kubelet/metrics/metrics.go (v1.36).
 */
import type { Cluster } from '@podscope/cluster';
import { formatMetrics, RuntimeMetrics } from '@podscope/cri';
import { isStaticPod } from '@podscope/k8s';
import { kubeletPoints, type PodCache } from '@podscope/kubelet';
import type { TraceEvent } from '@podscope/trace';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds. */
const workerBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Seconds. Upstream: podStartupDurationBuckets. */
const startBuckets = [0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600];

interface OpenSpan {
  readonly point: string;
  readonly startedAt: number;
  readonly pod: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A pod on its way from first sight to running. */
interface StartingPod {
  readonly seenAt: number;
  hasWorker: boolean;
}

type PodCacheReader = Pick<PodCache, 'get'>;

/** Counts for one cluster, from when it is made until {@link close}. */
export class KubeletMetrics {
  readonly #cluster: Cluster;
  readonly #registry = new Registry();
  readonly #runtime = new RuntimeMetrics();
  readonly #open = new Map<number, OpenSpan>();
  readonly #starting = new Map<string, StartingPod>();
  readonly #lastRelist = { at: 0 };
  readonly #unsubscribe: () => void;
  readonly #meters: ReturnType<typeof createMeters>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#meters = createMeters(this.#registry);
    collectDefaultMetrics({ register: this.#registry });
    this.#unsubscribe = cluster.log.subscribe((event) => {
      this.#runtime.observe(event);
      this.#observe(event);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.#registry.clear();
  }

  /** Prometheus' text form. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#measure();
    const own = await this.#registry.metrics();
    return { contentType: this.#registry.contentType, text: `${own.trimEnd()}\n${formatMetrics(this.#runtime.families())}` };
  }

  #observe(event: TraceEvent): void {
    switch (event.type) {
      case 'spanStarted':
        this.#onSpanStarted(event);
        break;
      case 'spanEnded':
        this.#onSpanEnded(event);
        break;
      case 'podChanged':
        this.#onPodChanged(event);
        break;
      case 'podStatus':
        this.#onPodStatus(event);
        break;
      case 'syncResult':
        this.#onSyncResult(event);
        break;
      default:
    }
  }

  #onSpanStarted({ span, point, time, pod, attributes }: TraceEvent & { readonly type: 'spanStarted' }): void {
    if (!measuredPoints.has(point)) return;
    this.#open.set(span, { point, startedAt: time, pod, attributes });
    if (point === kubeletPoints.relist.id) {
      if (this.#lastRelist.at > 0) this.#meters.relistInterval.observe((time - this.#lastRelist.at) / 1000);
      this.#lastRelist.at = time;
    }
    const starting = pod === undefined ? undefined : this.#starting.get(pod);
    if (point !== kubeletPoints.podWorker.id || !starting || starting.hasWorker) return;
    starting.hasWorker = true;
    this.#meters.workerStart.observe((time - starting.seenAt) / 1000);
  }

  #onSpanEnded({ span, time, attributes }: TraceEvent & { readonly type: 'spanEnded' }): void {
    const open = this.#open.get(span);
    if (!open) return;
    this.#open.delete(span);
    const seconds = (time - open.startedAt) / 1000;
    const { relist, podWorker, probe } = kubeletPoints;
    if (open.point === relist.id) {
      this.#meters.relistDuration.observe(seconds);
      this.#meters.lastSeen.set(time / 1000);
    } else if (open.point === podWorker.id) this.#meters.workerDuration.observe({ operation_type: text(open.attributes['updateType']) }, seconds);
    else if (open.point === probe.id) this.#onProbe(open, attributes?.['result']);
  }

  /** Upstream: recordContainerProbe's results. */
  #onProbe({ pod = '', attributes }: OpenSpan, result: unknown): void {
    const found = this.#cluster.kubelet.podManager.getPodByUID(pod)?.metadata;
    const labels = {
      probe_type: upperFirst(text(attributes['type'])),
      container: text(attributes['container']),
      pod: found?.name ?? '',
      namespace: found?.namespace ?? '',
      pod_uid: pod,
      result: result === 'success' || result === 'warning' ? 'successful' : result === 'failure' ? 'failed' : 'unknown',
    };
    this.#meters.probes.inc(labels);
  }

  #onPodChanged({ operation, pod, time }: TraceEvent & { readonly type: 'podChanged' }): void {
    if (pod === undefined) return;
    if (operation === 'ADDED') this.#starting.set(pod, { seenAt: time, hasWorker: false });
    else if (operation === 'DELETED') this.#starting.delete(pod);
  }

  #onPodStatus({ pod, time, status }: TraceEvent & { readonly type: 'podStatus' }): void {
    const starting = pod === undefined ? undefined : this.#starting.get(pod);
    if (pod === undefined || !starting || status['phase'] === 'Pending') return;
    this.#starting.delete(pod);
    if (status['phase'] === 'Running') this.#meters.podStart.observe((time - starting.seenAt) / 1000);
  }

  #onSyncResult({ action, target, error, pod = '' }: TraceEvent & { readonly type: 'syncResult' }): void {
    const { startedPods, startedPodErrors, startedContainers, startedContainerErrors } = this.#meters;
    if (action === 'CreatePodSandbox') {
      startedPods.inc();
      if (error !== undefined) startedPodErrors.inc();
    }
    // A start that waits for its back-off was none.
    if (action !== 'StartContainer' || error === 'CrashLoopBackOff') return;
    const type = { container_type: this.#containerType(pod, target) };
    startedContainers.inc(type);
    if (error !== undefined) startedContainerErrors.inc({ ...type, code: error });
  }

  /** Upstream: metrics.Container, InitContainer, EphemeralContainer. */
  #containerType(uid: string, name: string): string {
    const spec = this.#cluster.kubelet.podManager.getPodByUID(uid)?.spec;
    if (spec?.initContainers?.some((container) => container.name === name)) return 'init_container';
    return spec?.ephemeralContainers?.some((container) => container.name === name) ? 'ephemeral_container' : 'container';
  }

  /** What is so now, as opposed to what happened. */
  #measure(): void {
    const { podManager, podCache } = this.#cluster.kubelet;
    const pods = podManager.getPods();
    const { desiredPods, nodeName, runningPods, runningContainers } = this.#meters;
    nodeName.set({ node: this.#cluster.nodeInfo().nodeName }, 1);
    for (const isStatic of [true, false]) desiredPods.set({ static: String(isStatic) }, pods.filter((pod) => isStaticPod(pod) === isStatic).length);
    const states = runningStates(
      podCache,
      pods.map(({ metadata }) => metadata.uid),
    );
    runningPods.set(states.pods);
    runningContainers.reset();
    for (const [state, count] of states.containers) runningContainers.set({ container_state: state }, count);
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const measuredPoints: ReadonlySet<string> = new Set([kubeletPoints.relist.id, kubeletPoints.podWorker.id, kubeletPoints.probe.id]);

/** Upstream: updateRunningPodAndContainerMetrics. */
function runningStates(cache: PodCacheReader, uids: readonly string[]): { readonly pods: number; readonly containers: ReadonlyMap<string, number> } {
  let pods = 0;
  const containers = new Map<string, number>();
  for (const uid of uids) {
    const { containerStatuses, sandboxStatuses } = cache.get(uid).status;
    if (sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')) pods += 1;
    for (const { state } of containerStatuses) containers.set(state, (containers.get(state) ?? 0) + 1);
  }
  return { pods, containers };
}

function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) => new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) => new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    nodeName: gauge('kubelet_node_name', "The node's name. The count is always 1.", ['node']),
    desiredPods: gauge('kubelet_desired_pods', 'The number of pods the kubelet is being instructed to run.', ['static']),
    runningPods: gauge('kubelet_running_pods', 'Number of pods that have a running pod sandbox.', []),
    runningContainers: gauge('kubelet_running_containers', 'Number of currently running containers.', ['container_state']),
    podStart: histogram(
      'kubelet_pod_start_duration_seconds',
      'Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run.',
      [],
      startBuckets,
    ),
    workerStart: histogram(
      'kubelet_pod_worker_start_duration_seconds',
      'Duration in seconds from kubelet seeing a pod to starting a worker.',
      [],
      workerBuckets,
    ),
    workerDuration: histogram(
      'kubelet_pod_worker_duration_seconds',
      'Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync.',
      ['operation_type'],
      workerBuckets,
    ),
    relistDuration: histogram('kubelet_pleg_relist_duration_seconds', 'Duration in seconds for relisting pods in PLEG.', [], workerBuckets),
    relistInterval: histogram('kubelet_pleg_relist_interval_seconds', 'Interval in seconds between relisting in PLEG.', [], workerBuckets),
    lastSeen: gauge('kubelet_pleg_last_seen_seconds', 'Timestamp in seconds when PLEG was last seen active.', []),
    startedPods: counter('kubelet_started_pods_total', 'Cumulative number of pods started.', []),
    startedPodErrors: counter('kubelet_started_pods_errors_total', 'Cumulative number of errors when starting pods.', []),
    startedContainers: counter('kubelet_started_containers_total', 'Cumulative number of containers started.', ['container_type']),
    startedContainerErrors: counter('kubelet_started_containers_errors_total', 'Cumulative number of errors when starting containers.', [
      'container_type',
      'code',
    ]),
    probes: counter('prober_probe_total', 'Cumulative number of a liveness, readiness or startup probe for a container by result.', [
      'probe_type',
      'container',
      'pod',
      'namespace',
      'pod_uid',
      'result',
    ]),
  };
}
