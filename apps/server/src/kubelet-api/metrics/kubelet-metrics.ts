/**
 * Computes the kubelet's `/metrics` from the event log, so that the metrics agree with the timeline. Values that the
 * log doesn't contain, such as PLEG relists without changes, come from the kubelet's own measurements. Upstream:
 * pkg/kubelet/metrics/metrics.go (v1.36 and v1.20).
 */

import { kubeletPoints, syncPodPoints } from '@podscope/flow';
import { isStaticPod, type Pod } from '@podscope/k8s';
import type { Measure, PodCache } from '@podscope/kubelet';
import { type ContainerTypeLabel, formatMetrics, RuntimeMetrics, StartMetrics } from '@podscope/kuberuntime/metrics';
import type { NodeHost } from '@podscope/node';
import type { TraceEvent, TraceEventOf } from '@podscope/trace';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { EngineOperations } from './engine-operations.ts';
import { imageSizeBucket, rejectionReason } from './labels.ts';
import { createMeters, type Meters, withStability } from './meters.ts';
import { PodStarts } from './pod-starts.ts';
import { Resizes } from './resizes.ts';

interface OpenSpan {
  readonly point: string;
  /** For the span of a pod worker's sync: the time at which the pod worker was notified of the update. */
  readonly startedAt: number;
  readonly pod: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const { podWorkerLoop, managePodLoop, updatePod, probe, statusManagerSyncPod, handlePodCleanups } = kubeletPoints;
const workerPoints: ReadonlySet<string> = new Set([podWorkerLoop.id, managePodLoop.id]);
const measuredPoints: ReadonlySet<string> = new Set([
  ...workerPoints,
  probe.id,
  statusManagerSyncPod.id,
  'cri.PullImage',
  'cri.RemoveImage',
]);
/** The maximum number of pods whose last update waits for a pod worker, and whose update times are stored. */
const largestBacklog = 1000;

/** Computes the metrics of one node, from construction until {@link close}. */
export class KubeletMetrics {
  readonly #nodeHost: NodeHost;
  readonly #registry = new Registry();
  readonly #runtime = new RuntimeMetrics();
  readonly #open = new Map<number, OpenSpan>();
  readonly #handedOn = new Map<number, number>();
  readonly #pulls = new Map<string, number>();
  readonly #starts = new StartMetrics((pod, container) => this.#containerType(pod, container));
  readonly #observers: readonly { observe(event: TraceEvent): void }[];
  readonly #ends: readonly (() => void)[];
  readonly #isNew: boolean;
  /** The meters. The HTTP endpoints use them to count requests. */
  readonly meters: Meters;

  constructor(nodeHost: NodeHost) {
    this.#nodeHost = nodeHost;
    this.#isNew = nodeHost.nodeInfo().profile !== 'v1.20';
    this.meters = createMeters(this.#registry, this.#isNew ? 'v1.36' : 'v1.20');
    collectDefaultMetrics({ register: this.#registry });
    const { meters } = this;
    this.#observers = [
      this.#runtime,
      this.#starts,
      new PodStarts(meters),
      new Resizes(meters),
      new EngineOperations(meters),
    ];
    this.#ends = [
      nodeHost.log.subscribe((event) => {
        for (const observer of this.#observers) observer.observe(event);
        this.#observe(event);
      }),
      nodeHost.kubelet.measures.subscribe((measure) => this.#measure(measure)),
    ];
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#registry.clear();
  }

  /** Returns all metrics in Prometheus' text format. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#look();
    const own = await this.#registry.metrics();
    // v1.20 has no metrics of pod starts.
    const families = [...(this.#isNew ? this.#starts.families() : []), ...this.#runtime.families()].map((family) => ({
      ...family,
      help: withStability(family.help),
    }));
    return { contentType: this.#registry.contentType, text: `${own.trimEnd()}\n${formatMetrics(families)}` };
  }

  #measure(measure: Measure): void {
    const { relistDuration, relistInterval, podRelistDuration, cgroups, preemptions, terminatedContainers } =
      this.meters;
    const { orphanPodVolumes, orphanPodVolumeErrors } = this.meters;
    switch (measure.of) {
      case 'relist':
        relistDuration.observe(measure.duration / 1000);
        if (measure.interval !== undefined) relistInterval.observe(measure.interval / 1000);
        break;
      case 'podRelist':
        podRelistDuration.observe(measure.duration / 1000);
        break;
      case 'cgroup':
        cgroups.observe({ operation_type: measure.operation }, measure.duration / 1000);
        break;
      case 'preemption':
        preemptions.inc({ preemption_signal: measure.resource });
        break;
      case 'termination':
        terminatedContainers.inc({
          container_type: measure.container,
          exit_code: String(measure.exitCode),
          reason: measure.reason,
        });
        break;
      case 'orphans':
        orphanPodVolumes.set(measure.found);
        orphanPodVolumeErrors.set(measure.kept);
        break;
      case 'probeEnd':
        this.#onProbeEnd(measure);
    }
  }

  /** Removes the series of a probe whose worker has ended. Upstream: prober worker run. */
  #onProbeEnd({ pod: { metadata }, container, type }: Extract<Measure, { of: 'probeEnd' }>): void {
    const { name, namespace = '', uid } = metadata;
    const labels = { probe_type: upperFirst(type), container, pod: name, namespace };
    this.meters.probeDuration.remove(labels);
    for (const result of ['successful', 'failed']) this.meters.probes.remove({ ...labels, pod_uid: uid, result });
  }

  #observe(event: TraceEvent): void {
    switch (event.type) {
      case 'spanStarted':
        this.#onSpanStarted(event);
        break;
      case 'spanEnded':
        this.#onSpanEnded(event);
        break;
      case 'decision':
        this.#onDecision(event);
        break;
      case 'syncResult':
        this.#onSyncResult(event);
        break;
      case 'kubernetesEvent':
        this.#onKubernetesEvent(event);
        break;
      default:
    }
  }

  #onSpanStarted({ span, point, time, pod, attributes }: TraceEventOf<'spanStarted'>): void {
    if (point === updatePod.id) {
      this.#handedOn.set(span, time);
      const [oldest] = this.#handedOn.keys();
      if (this.#handedOn.size > largestBacklog && oldest !== undefined) this.#handedOn.delete(oldest);
    }
    if (point === handlePodCleanups.id) this.#onCleanups(attributes['cleanups']);
    if (point === syncPodPoints.createPodSandbox.id && this.#hasUserNamespace(pod))
      this.meters.startedUserNamespaces.inc();
    if (!measuredPoints.has(point)) return;
    const cause = attributes['causedBy'];
    const startedAt = (typeof cause === 'number' ? this.#handedOn.get(cause) : undefined) ?? time;
    if (typeof cause === 'number') this.#handedOn.delete(cause);
    this.#open.set(span, { point, startedAt, pod, attributes });
    if (workerPoints.has(point) && attributes['updateType'] === 'create') {
      const containers = this.#pod(pod)?.spec.containers.length;
      if (containers !== undefined) this.meters.containersPerPod.observe(containers);
    }
  }

  #onSpanEnded({ span, time, attributes, outcome, thread }: TraceEventOf<'spanEnded'>): void {
    const open = this.#open.get(span);
    if (!open) return;
    this.#open.delete(span);
    const milliseconds = time - open.startedAt;
    if (workerPoints.has(open.point)) {
      // v1.20 counts only failed syncs.
      if (this.#isNew || outcome === 'error')
        this.meters.workerDuration.observe(
          { operation_type: text(open.attributes['updateType']) },
          milliseconds / 1000,
        );
    } else if (open.point === probe.id) this.#onProbe(open, attributes?.['result'], milliseconds / 1000);
    else if (open.point === statusManagerSyncPod.id) {
      if (outcome === 'ok')
        this.meters.statusSync.observe((Number.parseFloat(text(open.attributes['pending'])) + milliseconds) / 1000);
    } else if (open.point === 'cri.PullImage') {
      if (outcome === 'ok' && open.pod !== undefined) this.#pulls.set(open.pod, milliseconds);
    } else if (thread === 'garbageCollection' && outcome === 'ok') this.meters.imageGarbage.inc({ reason: 'space' });
  }

  /** Counts a probe's result; an attempt without a result isn't counted. Upstream: prober worker doProbe. */
  #onProbe({ pod = '', attributes }: OpenSpan, result: unknown, seconds: number): void {
    const found = this.#pod(pod)?.metadata;
    const labels = {
      probe_type: upperFirst(text(attributes['type'])),
      container: text(attributes['container']),
      pod: found?.name ?? '',
      namespace: found?.namespace ?? '',
    };
    const succeeded = result === 'success' || result === 'warning';
    if (succeeded || result === 'failure')
      this.meters.probes.inc({ ...labels, pod_uid: pod, result: succeeded ? 'successful' : 'failed' });
    if (succeeded) this.meters.probeDuration.observe(labels, seconds);
  }

  #onCleanups(cleanups: unknown): void {
    const all: readonly string[] = Array.isArray(cleanups) ? cleanups.map(String) : [];
    const count = (beginning: string): number => all.filter((what) => what.startsWith(beginning)).length;
    const { orphanedRuntimePods, restartedPods } = this.meters;
    orphanedRuntimePods.inc(count('orphaned running pod'));
    const restarts = { '': count('restarted pod'), true: count('restarted static pod') };
    for (const [label, number] of Object.entries(restarts))
      if (number > 0) restartedPods.inc({ static: label }, number);
  }

  #onDecision({ rule, facts, outcome, time }: TraceEventOf<'decision'>): void {
    const { workerStart, podStart, ensureImage } = this.meters;
    const firstSeen = facts['firstSeen'];
    if (rule === 'latency.podWorkerStart' && typeof firstSeen === 'number')
      workerStart.observe((time - firstSeen) / 1000);
    else if (rule === 'latency.podStart' && typeof firstSeen === 'number') podStart.observe((time - firstSeen) / 1000);
    else if (rule === 'ensureImageExists.pullPolicy') {
      const present = facts['present'];
      ensureImage.inc({
        pull_policy: text(facts['pullPolicy']).toLowerCase(),
        present_locally: typeof present === 'boolean' ? String(present) : 'unknown',
        pull_required: String(text(outcome).startsWith('pull it')),
      });
    }
  }

  #onSyncResult({ action, error, pod = '' }: TraceEventOf<'syncResult'>): void {
    if (action === 'CreatePodSandbox' && error !== undefined && this.#hasUserNamespace(pod))
      this.meters.startedUserNamespaceErrors.inc();
  }

  #hasUserNamespace(pod: string | undefined): boolean {
    return this.#pod(pod)?.spec.hostUsers === false;
  }

  #onKubernetesEvent({ eventType, reason, message, thread, pod = '' }: TraceEventOf<'kubernetesEvent'>): void {
    const { evictions, admissionRejections, imagePull } = this.meters;
    if (reason === 'Evicted' && thread === 'eviction') evictions.inc({ eviction_signal: evictionSignal(message) });
    else if (eventType === 'Warning' && thread === 'syncLoop') {
      const rejected = rejectionReason(reason);
      if (rejected !== undefined) admissionRejections.inc({ reason: rejected });
    } else if (reason === 'Pulled') {
      const bytes = /Image size: (\d+) bytes/.exec(message)?.[1];
      const took = this.#pulls.get(pod);
      if (bytes !== undefined && took !== undefined)
        imagePull.observe({ image_size_in_bytes: imageSizeBucket(Number(bytes)) }, took / 1000);
      this.#pulls.delete(pod);
    }
  }

  #pod(uid: string | undefined): Pod | undefined {
    return uid === undefined ? undefined : this.#nodeHost.kubelet.podManager.getPodByUID(uid);
  }

  /** Returns the container type label. Upstream: metrics.Container, InitContainer, EphemeralContainer. */
  #containerType(uid: string, name: string): ContainerTypeLabel {
    const spec = this.#pod(uid)?.spec;
    if (spec?.initContainers?.some((container) => container.name === name)) return 'init_container';
    return spec?.ephemeralContainers?.some((container) => container.name === name)
      ? 'ephemeral_container'
      : 'container';
  }

  /** Updates the gauges, which show the current state. */
  #look(): void {
    const { kubelet } = this.#nodeHost;
    const { meters } = this;
    const pods = kubelet.podManager.getPods();
    meters.nodeName.set({ node: this.#nodeHost.nodeInfo().nodeName }, 1);
    if (kubelet.plegLastSeen !== undefined) meters.lastSeen.set(kubelet.plegLastSeen / 1000);
    const byStatic = (gauge: Meters['desiredPods'], of: readonly Pod[]): void => {
      for (const isStatic of [false, true])
        gauge.set({ static: isStatic ? 'true' : '' }, of.filter((pod) => isStaticPod(pod) === isStatic).length);
    };
    byStatic(meters.desiredPods, pods);
    byStatic(meters.activePods, kubelet.activePods());
    meters.mirrorPods.set(pods.filter((pod) => isStaticPod(pod) && kubelet.podManager.getMirrorPodByPod(pod)).length);
    meters.ephemeralContainers.set(pods.reduce((sum, { spec }) => sum + (spec.ephemeralContainers?.length ?? 0), 0));
    const states = runningStates(
      kubelet.podCache,
      pods.map(({ metadata }) => metadata.uid),
    );
    meters.runningPods.set(states.pods);
    meters.runningContainers.reset();
    for (const [state, count] of states.containers) meters.runningContainers.set({ container_state: state }, count);
    this.#lookAtWorkers();
    this.#lookAtResizes(pods);
  }

  /** Sets the number of pods for every worker state, including states without pods. Upstream: HandlePodCleanups. */
  #lookAtWorkers(): void {
    const { workingPods } = this.meters;
    for (const lifecycle of ['sync', 'terminating', 'terminated']) {
      for (const config of ['desired', 'orphan'])
        for (const label of ['', 'true']) workingPods.set({ lifecycle, config, static: label }, 0);
      workingPods.set({ lifecycle, config: 'runtime_only', static: 'unknown' }, 0);
    }
    for (const { state, orphan, hasConfig, isStatic } of this.#nodeHost.kubelet.workingPods()) {
      const config = hasConfig ? (orphan ? 'orphan' : 'desired') : 'runtime_only';
      workingPods.inc({ lifecycle: state, config, static: hasConfig ? (isStatic ? 'true' : '') : 'unknown' });
    }
  }

  #lookAtResizes(pods: readonly Pod[]): void {
    const { pendingResizes, inProgressResizes } = this.meters;
    const conditions = pods.flatMap(
      ({ metadata }) => this.#nodeHost.kubelet.statusManager.getPodStatus(metadata.uid)?.conditions ?? [],
    );
    for (const reason of ['Deferred', 'Infeasible']) {
      pendingResizes.set(
        { reason: reason.toLowerCase() },
        conditions.filter((each) => each.type === 'PodResizePending' && each.reason === reason).length,
      );
    }
    inProgressResizes.set(conditions.filter(({ type }) => type === 'PodResizeInProgress').length);
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the signal of an eviction because of a limit of local storage. Upstream: localStorageEviction. */
function evictionSignal(message: string): string {
  if (message.startsWith('Container ')) return 'ephemeralcontainerfs.limit';
  return message.startsWith('Pod ') ? 'ephemeralpodfs.limit' : 'emptydirfs.limit';
}

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Counts running pods and containers by state. Upstream: updateRunningPodAndContainerMetrics. */
function runningStates(
  cache: Pick<PodCache, 'get'>,
  uids: readonly string[],
): { readonly pods: number; readonly containers: ReadonlyMap<string, number> } {
  let pods = 0;
  const containers = new Map<string, number>();
  for (const uid of uids) {
    const { containerStatuses, sandboxStatuses } = cache.get(uid).status;
    if (sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')) pods += 1;
    for (const { state } of containerStatuses) containers.set(state, (containers.get(state) ?? 0) + 1);
  }
  return { pods, containers };
}
