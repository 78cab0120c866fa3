/**
 * Defines the metrics of containers and pods, and reads them from the state of a runtime. The metrics have the same
 * names as in cAdvisor.
 */
import type { Metric, MetricDescriptor, MetricType } from '../messages.ts';

/** The definition of a metric. */
interface MetricFacts {
  readonly type: MetricType;
  readonly help: string;
  /** The labels besides those that identify the container. */
  readonly labelKeys?: readonly string[];
}

/** The metrics by name. Upstream: cAdvisor's metrics/prometheus.go (v0.52). */
const metrics = {
  container_cpu_usage_seconds_total: { type: 'COUNTER', help: 'Cumulative cpu time consumed in seconds.' },
  container_cpu_user_seconds_total: { type: 'COUNTER', help: 'Cumulative user cpu time consumed in seconds.' },
  container_cpu_system_seconds_total: { type: 'COUNTER', help: 'Cumulative system cpu time consumed in seconds.' },
  container_cpu_cfs_periods_total: { type: 'COUNTER', help: 'Number of elapsed enforcement period intervals.' },
  container_cpu_cfs_throttled_periods_total: { type: 'COUNTER', help: 'Number of throttled period intervals.' },
  container_cpu_cfs_throttled_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration the container has been throttled.',
  },
  container_memory_usage_bytes: {
    type: 'GAUGE',
    help: 'Current memory usage in bytes, including all memory regardless of when it was accessed.',
  },
  container_memory_working_set_bytes: { type: 'GAUGE', help: 'Current working set in bytes.' },
  container_memory_max_usage_bytes: { type: 'GAUGE', help: 'Maximum memory usage recorded in bytes.' },
  container_memory_rss: { type: 'GAUGE', help: 'Size of RSS in bytes.' },
  container_memory_cache: { type: 'GAUGE', help: 'Number of bytes of page cache memory.' },
  container_memory_mapped_file: { type: 'GAUGE', help: 'Size of memory mapped files in bytes.' },
  container_memory_swap: { type: 'GAUGE', help: 'Container swap usage in bytes.' },
  container_memory_kernel_usage: { type: 'GAUGE', help: 'Size of kernel memory allocated in bytes.' },
  container_memory_failcnt: { type: 'COUNTER', help: 'Number of memory usage hits limits.' },
  container_memory_failures_total: {
    type: 'COUNTER',
    help: 'Cumulative count of memory allocation failures.',
    labelKeys: ['failure_type', 'scope'],
  },
  container_oom_events_total: { type: 'COUNTER', help: 'Count of out of memory events observed for the container.' },
  container_processes: { type: 'GAUGE', help: 'Number of processes running inside the container.' },
  container_threads: { type: 'GAUGE', help: 'Number of threads running inside the container.' },
  container_threads_max: {
    type: 'GAUGE',
    help: 'Maximum number of threads allowed inside the container, infinity if value is zero.',
  },
  container_last_seen: { type: 'GAUGE', help: 'Last time a container was seen by the exporter.' },
  container_start_time_seconds: { type: 'GAUGE', help: 'Start time of the container since unix epoch in seconds.' },
  container_spec_cpu_period: { type: 'GAUGE', help: 'CPU period of the container.' },
  container_spec_cpu_quota: { type: 'GAUGE', help: 'CPU quota of the container.' },
  container_spec_cpu_shares: { type: 'GAUGE', help: 'CPU share of the container.' },
  container_spec_memory_limit_bytes: { type: 'GAUGE', help: 'Memory limit for the container.' },
  container_spec_memory_swap_limit_bytes: { type: 'GAUGE', help: 'Memory swap limit for the container.' },
  container_spec_memory_reservation_limit_bytes: { type: 'GAUGE', help: 'Memory reservation limit for the container.' },
  container_blkio_device_usage_total: {
    type: 'COUNTER',
    help: 'Blkio device bytes usage.',
    labelKeys: ['device', 'major', 'minor', 'operation'],
  },
  container_fs_reads_bytes_total: { type: 'COUNTER', help: 'Cumulative count of bytes read.', labelKeys: ['device'] },
  container_fs_reads_total: { type: 'COUNTER', help: 'Cumulative count of reads completed.', labelKeys: ['device'] },
  container_fs_writes_bytes_total: {
    type: 'COUNTER',
    help: 'Cumulative count of bytes written.',
    labelKeys: ['device'],
  },
  container_fs_writes_total: { type: 'COUNTER', help: 'Cumulative count of writes completed.', labelKeys: ['device'] },
  container_fs_usage_bytes: {
    type: 'GAUGE',
    help: 'Number of bytes that are consumed by the container on this filesystem.',
    labelKeys: ['device'],
  },
  container_fs_limit_bytes: {
    type: 'GAUGE',
    help: 'Number of bytes that can be consumed by the container on this filesystem.',
    labelKeys: ['device'],
  },
  container_fs_inodes_total: { type: 'GAUGE', help: 'Number of Inodes.', labelKeys: ['device'] },
  container_fs_inodes_free: { type: 'GAUGE', help: 'Number of available Inodes.', labelKeys: ['device'] },
  container_file_descriptors: { type: 'GAUGE', help: 'Number of open file descriptors for the container.' },
  container_sockets: { type: 'GAUGE', help: 'Number of open sockets for the container.' },
  container_ulimits_soft: {
    type: 'GAUGE',
    help: 'Soft ulimit values for the container root process. Unlimited if -1, except priority and nice.',
    labelKeys: ['ulimit'],
  },
  container_pressure_cpu_waiting_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration tasks in the container have waited due to CPU congestion.',
  },
  container_pressure_cpu_stalled_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration no tasks in the container could make progress due to CPU congestion.',
  },
  container_pressure_memory_waiting_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration tasks in the container have waited due to memory congestion.',
  },
  container_pressure_memory_stalled_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration no tasks in the container could make progress due to memory congestion.',
  },
  container_pressure_io_waiting_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration tasks in the container have waited due to IO congestion.',
  },
  container_pressure_io_stalled_seconds_total: {
    type: 'COUNTER',
    help: 'Total time duration no tasks in the container could make progress due to IO congestion.',
  },
  container_hugetlb_usage_bytes: { type: 'GAUGE', help: 'Current hugepage usage in bytes.', labelKeys: ['pagesize'] },
  container_hugetlb_max_usage_bytes: {
    type: 'GAUGE',
    help: 'Maximum hugepage usage recorded in bytes.',
    labelKeys: ['pagesize'],
  },
  // Metrics of a sandbox.
  container_network_receive_bytes_total: {
    type: 'COUNTER',
    help: 'Cumulative count of bytes received.',
    labelKeys: ['interface'],
  },
  container_network_receive_packets_total: {
    type: 'COUNTER',
    help: 'Cumulative count of packets received.',
    labelKeys: ['interface'],
  },
  container_network_receive_packets_dropped_total: {
    type: 'COUNTER',
    help: 'Cumulative count of packets dropped while receiving.',
    labelKeys: ['interface'],
  },
  container_network_receive_errors_total: {
    type: 'COUNTER',
    help: 'Cumulative count of errors encountered while receiving.',
    labelKeys: ['interface'],
  },
  container_network_transmit_bytes_total: {
    type: 'COUNTER',
    help: 'Cumulative count of bytes transmitted.',
    labelKeys: ['interface'],
  },
  container_network_transmit_packets_total: {
    type: 'COUNTER',
    help: 'Cumulative count of packets transmitted.',
    labelKeys: ['interface'],
  },
  container_network_transmit_packets_dropped_total: {
    type: 'COUNTER',
    help: 'Cumulative count of packets dropped while transmitting.',
    labelKeys: ['interface'],
  },
  container_network_transmit_errors_total: {
    type: 'COUNTER',
    help: 'Cumulative count of errors encountered while transmitting.',
    labelKeys: ['interface'],
  },
} as const satisfies Readonly<Record<string, MetricFacts>>;

/** The name of a metric. */
export type ContainerMetricName = keyof typeof metrics;

/** The labels that identify the container or sandbox. Every metric has them. */
const identityLabels = ['id', 'name', 'image'] as const;

/** A value of a metric, and the values of `labelKeys` in the same order. */
export interface MetricReading {
  readonly labels?: readonly string[];
  readonly value: number;
}

/** Reads a metric from a runtime's state. */
export interface MetricReader<Source> {
  readonly name: ContainerMetricName;
  readonly read: (source: Source) => readonly MetricReading[];
}

/** The container or sandbox of the metrics. */
export interface MetricIdentity {
  readonly id: string;
  readonly name: string;
  readonly image: string;
}

/** Returns the descriptors of metrics. */
export const metricDescriptors = (names: readonly ContainerMetricName[]): MetricDescriptor[] =>
  names.map((name) => {
    const { help, labelKeys = [] }: MetricFacts = metrics[name];
    return { name, help, labelKeys: [...identityLabels, ...labelKeys] };
  });

/**
 * Returns the metrics of one container or sandbox.
 * @param timestamp in nanoseconds since the Unix epoch
 */
export const readMetrics = <Source>(
  source: Source,
  readers: readonly MetricReader<Source>[],
  { id, name, image }: MetricIdentity,
  timestamp: bigint,
): Metric[] =>
  readers.flatMap((reader) =>
    reader.read(source).map(({ labels = [], value }) => ({
      name: reader.name,
      timestamp,
      metricType: metrics[reader.name].type,
      labelValues: [id, name, image, ...labels],
      // Values in CRI are integers.
      value: { value: Math.floor(value) },
    })),
  );
