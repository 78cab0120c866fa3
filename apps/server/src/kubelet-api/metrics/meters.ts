/**
 * Defines the kubelet's metrics by name: types, labels, help texts and buckets of each release. Upstream:
 * pkg/kubelet/metrics/metrics.go (v1.36 and v1.20).
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

type Release = 'v1.36' | 'v1.20';

const exponential = (start: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number((start * factor ** index).toPrecision(12)));

/** Default buckets of histograms: upper bounds in seconds. Upstream: metrics.DefBuckets. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Upper bounds of the start duration, in seconds. Upstream: podStartupDurationBuckets. */
const startBuckets = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600,
];
/** Upper bounds of the time until a pod status is written, in seconds. */
const statusBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60];
/** Upper bounds of the duration of an image pull, in seconds. Upstream: imagePullDurationBuckets. */
const pullBuckets = [1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600];
/** Upper bounds of the duration of a resize, in milliseconds. Upstream: podResizeDurationBuckets. */
const resizeBuckets = [10, 50, 100, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000];

/** Returns a help text as the kubelet exposes it, with the metric's stability. */
export const withStability = (help: string, stability: 'ALPHA' | 'BETA' = 'ALPHA'): string => `[${stability}] ${help}`;

/** Creates the meters. All of them count, but only the metrics of the release are exposed. */
export function createMeters(registry: Registry, release: Release) {
  const isNew = release === 'v1.36';
  const stable = (name: string, help: string): string =>
    withStability(help, isNew && name === 'prober_probe_total' ? 'BETA' : 'ALPHA');
  const registersOf = (only?: Release): Registry[] => (only === undefined || only === release ? [registry] : []);
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = [], only?: Release) =>
    new Counter({ name, help: stable(name, help), labelNames, registers: registersOf(only) });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = [], only?: Release) =>
    new Gauge({ name, help: stable(name, help), labelNames, registers: registersOf(only) });
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets = defaultBuckets,
    only?: Release,
  ) => new Histogram({ name, help: stable(name, help), labelNames, buckets, registers: registersOf(only) });
  return {
    // Metrics of the node and its contents.
    nodeName: gauge('kubelet_node_name', "The node's name. The count is always 1.", ['node']),
    runningPods: gauge('kubelet_running_pods', 'Number of pods that have a running pod sandbox'),
    runningContainers: gauge('kubelet_running_containers', 'Number of containers currently running', [
      'container_state',
    ]),
    containersPerPod: histogram(
      'kubelet_containers_per_pod_count',
      'The number of containers per pod.',
      [],
      isNew ? [1, 2, 4, 8, 16] : defaultBuckets,
    ),
    desiredPods: gauge(
      'kubelet_desired_pods',
      'The number of pods the kubelet is being instructed to run. static is true if the pod is not from the apiserver.',
      ['static'],
      'v1.36',
    ),
    activePods: gauge(
      'kubelet_active_pods',
      'The number of pods the kubelet considers active and which are being considered when admitting new pods. ' +
        'static is true if the pod is not from the apiserver.',
      ['static'],
      'v1.36',
    ),
    mirrorPods: gauge(
      'kubelet_mirror_pods',
      'The number of mirror pods the kubelet will try to create (one per admitted static pod)',
      [],
      'v1.36',
    ),
    workingPods: gauge(
      'kubelet_working_pods',
      'Number of pods the kubelet is actually running, broken down by lifecycle phase, whether the pod is ' +
        'desired, orphaned, or runtime only (also orphaned), and whether the pod is static. An orphaned pod has ' +
        'been removed from local configuration or force deleted in the API and consumes resources that are not ' +
        'otherwise visible.',
      ['lifecycle', 'config', 'static'],
      'v1.36',
    ),
    ephemeralContainers: gauge(
      'kubelet_managed_ephemeral_containers',
      'Current number of ephemeral containers in pods managed by this kubelet.',
      [],
      'v1.36',
    ),
    orphanedRuntimePods: counter(
      'kubelet_orphaned_runtime_pods_total',
      'Number of pods that have been detected in the container runtime without being already known to the pod ' +
        'worker. This typically indicates the kubelet was restarted while a pod was force deleted in the API or in ' +
        'the local configuration, which is unusual.',
      [],
      'v1.36',
    ),
    restartedPods: counter(
      'kubelet_restarted_pods_total',
      'Number of pods that have been restarted because they were deleted and recreated with the same UID while ' +
        'the kubelet was watching them (common for static pods, extremely uncommon for API pods)',
      ['static'],
      'v1.36',
    ),
    orphanPodVolumes: gauge(
      'kubelet_orphan_pod_cleaned_volumes',
      'The total number of orphaned Pods whose volumes were cleaned in the last periodic sweep.',
      [],
      'v1.36',
    ),
    orphanPodVolumeErrors: gauge(
      'kubelet_orphan_pod_cleaned_volumes_errors',
      'The number of orphaned Pods whose volumes failed to be cleaned in the last periodic sweep.',
      [],
      'v1.36',
    ),
    // Metrics of pod workers.
    workerStart: histogram(
      'kubelet_pod_worker_start_duration_seconds',
      isNew
        ? 'Duration in seconds from kubelet seeing a pod to starting a worker.'
        : 'Duration in seconds from seeing a pod to starting a worker.',
    ),
    workerDuration: histogram(
      'kubelet_pod_worker_duration_seconds',
      'Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync',
      ['operation_type'],
    ),
    podStart: histogram(
      'kubelet_pod_start_duration_seconds',
      isNew
        ? 'Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run'
        : 'Duration in seconds for a single pod to go from pending to running.',
      [],
      isNew ? startBuckets : defaultBuckets,
    ),
    podStartSLI: histogram(
      'kubelet_pod_start_sli_duration_seconds',
      'Duration in seconds to start a pod, excluding time to pull images and run init containers, measured from ' +
        'pod creation timestamp to when all its containers are reported as started and observed via watch',
      [],
      startBuckets,
      'v1.36',
    ),
    podStartTotal: histogram(
      'kubelet_pod_start_total_duration_seconds',
      'Duration in seconds to start a pod since creation, including time to pull images and run init ' +
        'containers, measured from pod creation timestamp to when all its containers are reported as started and ' +
        'observed via watch',
      [],
      startBuckets,
      'v1.36',
    ),
    statusSync: histogram(
      'kubelet_pod_status_sync_duration_seconds',
      'Duration in seconds to sync a pod status update. Measures time from detection of a change to pod status ' +
        'until the API is successfully updated for that pod, even if multiple intevening changes to pod status ' +
        'occur.',
      [],
      statusBuckets,
      'v1.36',
    ),
    // Metrics of the PLEG.
    relistDuration: histogram(
      'kubelet_pleg_relist_duration_seconds',
      'Duration in seconds for relisting pods in PLEG.',
    ),
    relistInterval: histogram('kubelet_pleg_relist_interval_seconds', 'Interval in seconds between relisting in PLEG.'),
    podRelistDuration: histogram(
      'kubelet_pleg_pod_relist_duration_seconds',
      'Duration in seconds for relisting a single pod in PLEG.',
      [],
      defaultBuckets,
      'v1.36',
    ),
    discardedEvents: counter('kubelet_pleg_discard_events', 'The number of discard events in PLEG.'),
    lastSeen: gauge('kubelet_pleg_last_seen_seconds', 'Timestamp in seconds when PLEG was last seen active.'),
    // Metrics of started and terminated pods and containers.
    startedHostProcesses: counter(
      'kubelet_started_host_process_containers_total',
      'Cumulative number of hostprocess containers started. This metric will only be collected on Windows.',
      ['container_type'],
      'v1.36',
    ),
    startedHostProcessErrors: counter(
      'kubelet_started_host_process_containers_errors_total',
      'Cumulative number of errors when starting hostprocess containers. This metric will only be collected on ' +
        'Windows.',
      ['container_type', 'code'],
      'v1.36',
    ),
    startedUserNamespaces: counter(
      'kubelet_started_user_namespaced_pods_total',
      'Cumulative number of pods with user namespaces started. This metric will only be collected on Linux.',
      [],
      'v1.36',
    ),
    startedUserNamespaceErrors: counter(
      'kubelet_started_user_namespaced_pods_errors_total',
      'Cumulative number of errors when starting pods with user namespaces. This metric will only be collected ' +
        'on Linux.',
      [],
      'v1.36',
    ),
    terminatedContainers: counter(
      'kubelet_terminated_containers_total',
      'Cumulative number of container terminations.',
      ['container_type', 'exit_code', 'reason'],
      'v1.36',
    ),
    // Metrics of admission, preemption and eviction.
    admissionRejections: counter(
      'kubelet_admission_rejections_total',
      'Cumulative number pod admission rejections by the Kubelet.',
      ['reason'],
      'v1.36',
    ),
    preemptions: counter('kubelet_preemptions', 'Cumulative number of pod preemptions by preemption resource', [
      'preemption_signal',
    ]),
    evictions: counter('kubelet_evictions', 'Cumulative number of pod evictions by eviction signal', [
      'eviction_signal',
    ]),
    // Metrics of images.
    imagePull: histogram(
      'kubelet_image_pull_duration_seconds',
      'Duration in seconds to pull an image.',
      ['image_size_in_bytes'],
      pullBuckets,
      'v1.36',
    ),
    ensureImage: counter(
      'kubelet_image_manager_ensure_image_requests_total',
      'Number of ensure-image requests processed by the kubelet.',
      ['pull_policy', 'present_locally', 'pull_required'],
      'v1.36',
    ),
    imageGarbage: counter(
      'kubelet_image_garbage_collected_total',
      'Total number of images garbage collected by the kubelet, whether through disk usage or image age.',
      ['reason'],
      'v1.36',
    ),
    // Metrics of hooks and probes.
    httpFallbacks: counter(
      'kubelet_lifecycle_handler_http_fallbacks_total',
      'The number of times lifecycle handlers successfully fell back to http from https.',
      [],
      'v1.36',
    ),
    sleepsEndedEarly: counter(
      'kubelet_sleep_action_terminated_early_total',
      'The number of times lifecycle sleep handler got terminated before it finishes',
      [],
      'v1.36',
    ),
    probes: counter(
      'prober_probe_total',
      'Cumulative number of a liveness, readiness or startup probe for a container by result.',
      ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
    ),
    probeDuration: histogram(
      'prober_probe_duration_seconds',
      'Duration in seconds for a probe response.',
      ['probe_type', 'container', 'pod', 'namespace'],
      defaultBuckets,
      'v1.36',
    ),
    // Metrics of in-place resizes.
    resizeDuration: histogram(
      'kubelet_pod_resize_duration_milliseconds',
      'Duration in milliseconds to actuate a pod resize',
      ['success'],
      resizeBuckets,
      'v1.36',
    ),
    requestedResizes: counter(
      'kubelet_container_requested_resizes_total',
      'Number of requested resizes, counted at the container level. Different resources on the same container ' +
        "are counted separately. The 'requirement' label refers to 'memory' or 'limits'; the 'operation' label can " +
        "be one of 'add', 'remove', 'increase' or 'decrease'.",
      ['resource', 'requirement', 'operation'],
      'v1.36',
    ),
    pendingResizes: gauge('kubelet_pod_pending_resizes', 'Number of pending resizes for pods.', ['reason'], 'v1.36'),
    inProgressResizes: gauge('kubelet_pod_in_progress_resizes', 'Number of in-progress resizes for pods.', [], 'v1.36'),
    infeasibleResizes: counter(
      'kubelet_pod_infeasible_resizes_total',
      'Number of infeasible resizes for pods.',
      ['reason_detail'],
      'v1.36',
    ),
    deferredResizes: counter(
      'kubelet_pod_deferred_accepted_resizes_total',
      'Cumulative number of resizes that were accepted after being deferred.',
      ['retry_trigger'],
      'v1.36',
    ),
    // Metrics of the node's resources.
    cgroups: histogram(
      'kubelet_cgroup_manager_duration_seconds',
      'Duration in seconds for cgroup manager operations. Broken down by method.',
      ['operation_type'],
    ),
    dockerOperations: counter(
      'kubelet_docker_operations_total',
      'Cumulative number of Docker operations by operation type.',
      ['operation_type'],
      'v1.20',
    ),
    dockerDuration: histogram(
      'kubelet_docker_operations_duration_seconds',
      'Latency in seconds of Docker operations. Broken down by operation type.',
      ['operation_type'],
      exponential(0.005, 2.5, 14),
      'v1.20',
    ),
    dockerErrors: counter(
      'kubelet_docker_operations_errors_total',
      'Cumulative number of Docker operation errors by operation type.',
      ['operation_type'],
      'v1.20',
    ),
    dockerTimeouts: counter(
      'kubelet_docker_operations_timeout_total',
      'Cumulative number of Docker operation timeout by operation type.',
      ['operation_type'],
      'v1.20',
    ),
    networkOperations: counter(
      'kubelet_network_plugin_operations_total',
      'Cumulative number of network plugin operations by operation type.',
      ['operation_type'],
      'v1.20',
    ),
    networkDuration: histogram(
      'kubelet_network_plugin_operations_duration_seconds',
      'Latency in seconds of network plugin operations. Broken down by operation type.',
      ['operation_type'],
      defaultBuckets,
      'v1.20',
    ),
    networkErrors: counter(
      'kubelet_network_plugin_operations_errors_total',
      'Cumulative number of network plugin operation errors by operation type.',
      ['operation_type'],
      'v1.20',
    ),
    // Metrics of HTTP endpoints.
    httpRequests: counter(
      'kubelet_http_requests_total',
      'Number of the http requests received since the server started',
      ['method', 'path', 'server_type', 'long_running'],
    ),
    httpDuration: histogram('kubelet_http_requests_duration_seconds', 'Duration in seconds to serve http requests', [
      'method',
      'path',
      'server_type',
      'long_running',
    ]),
    httpInFlight: gauge('kubelet_http_inflight_requests', 'Number of the inflight http requests', [
      'method',
      'path',
      'server_type',
      'long_running',
    ]),
  };
}

export type Meters = ReturnType<typeof createMeters>;

/** A metric as the documentation shows it. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** Returns the metrics of a release's kubelet in their order, without those that count CRI calls and starts. */
export async function documentedMeters(release: Release): Promise<readonly DocumentedMetric[]> {
  const registry = new Registry();
  createMeters(registry, release);
  return (await registry.getMetricsAsJSON()).map(({ name, type, help }) => ({
    name,
    type: String(type),
    help: help.replace(/^\[[A-Z]+\] /, ''),
  }));
}
