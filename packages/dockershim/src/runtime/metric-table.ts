/**
 * Defines the metrics of containers and pods from the engine's counters. The metrics have the same names as in
 * cAdvisor.
 */
import { type ContainerMetricName, type MetricDescriptor, type MetricReading, metricDescriptors } from '@podscope/cri';
import type { DockerStats } from '../docker/schemas.ts';
import { cgroupMetrics } from './cgroup-metrics.ts';
import { diskMetrics } from './disk-metrics.ts';
import { type MetricDefinition, type MetricNeed, type MetricSource, metric } from './metric-definition.ts';

const nanoseconds = 1e9;
const one = (value: number): MetricReading[] => [{ value }];
/**
 * Returns the value of the first of these counters that the engine reports. In cgroup v1 and v2, the same counter has
 * different names.
 */
const memoryStat =
  (...names: readonly string[]) =>
  ({ stats }: MetricSource): MetricReading[] =>
    one(names.map((name) => stats.memory_stats.stats[name]).find((value) => value !== undefined) ?? 0);

const unixSeconds = (text: string): number => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, Math.floor(milliseconds / 1000));
};

/** All metrics of a container. */
export const containerMetrics: readonly MetricDefinition[] = [
  metric('container_cpu_usage_seconds_total', ({ stats }) => one(stats.cpu_stats.cpu_usage.total_usage / nanoseconds)),
  metric('container_cpu_user_seconds_total', ({ stats }) =>
    one(stats.cpu_stats.cpu_usage.usage_in_usermode / nanoseconds),
  ),
  metric('container_cpu_system_seconds_total', ({ stats }) =>
    one(stats.cpu_stats.cpu_usage.usage_in_kernelmode / nanoseconds),
  ),
  metric('container_cpu_cfs_periods_total', ({ stats }) => one(stats.cpu_stats.throttling_data.periods)),
  metric('container_cpu_cfs_throttled_periods_total', ({ stats }) =>
    one(stats.cpu_stats.throttling_data.throttled_periods),
  ),
  metric('container_cpu_cfs_throttled_seconds_total', ({ stats }) =>
    one(stats.cpu_stats.throttling_data.throttled_time / nanoseconds),
  ),
  metric('container_memory_usage_bytes', ({ stats }) => one(stats.memory_stats.usage)),
  metric('container_memory_working_set_bytes', ({ stats: { memory_stats: memory } }) =>
    one(Math.max(0, memory.usage - (memory.stats['total_inactive_file'] ?? memory.stats['inactive_file'] ?? 0))),
  ),
  metric('container_memory_max_usage_bytes', ({ stats, cgroup }) =>
    one(stats.memory_stats.max_usage || (cgroup?.memoryPeak ?? 0)),
  ),
  metric('container_memory_rss', memoryStat('total_rss', 'anon')),
  metric('container_memory_cache', memoryStat('total_cache', 'file')),
  metric('container_memory_mapped_file', memoryStat('total_mapped_file', 'file_mapped')),
  metric('container_memory_swap', ({ stats, cgroup }) =>
    one(stats.memory_stats.stats['total_swap'] ?? cgroup?.swap ?? 0),
  ),
  metric('container_memory_kernel_usage', memoryStat('kernel_usage', 'kernel_stack')),
  metric('container_memory_failcnt', ({ stats }) => one(stats.memory_stats.failcnt)),
  metric('container_memory_failures_total', ({ stats: { memory_stats: memory } }) => [
    { labels: ['pgfault', 'container'], value: memory.stats['total_pgfault'] ?? memory.stats['pgfault'] ?? 0 },
    { labels: ['pgmajfault', 'container'], value: memory.stats['total_pgmajfault'] ?? memory.stats['pgmajfault'] ?? 0 },
  ]),
  metric('container_oom_events_total', ({ container }) => one(container.State.OOMKilled ? 1 : 0)),
  metric('container_processes', ({ stats }) => one(stats.pids_stats.current)),
  metric('container_threads', ({ stats }) => one(stats.pids_stats.current)),
  metric('container_threads_max', ({ stats }) =>
    // With cgroup v2, the engine reports the largest integer if no limit is set.
    one(Number.isSafeInteger(stats.pids_stats.limit) ? stats.pids_stats.limit : 0),
  ),
  metric('container_last_seen', ({ now }) => one(Math.floor(now / 1000))),
  metric('container_start_time_seconds', ({ container }) => one(unixSeconds(container.State.StartedAt))),
  metric('container_spec_cpu_period', ({ container }) => one(container.HostConfig.CpuPeriod)),
  metric('container_spec_cpu_quota', ({ container }) => one(Math.max(0, container.HostConfig.CpuQuota))),
  metric('container_spec_cpu_shares', ({ container }) => one(container.HostConfig.CpuShares)),
  metric('container_spec_memory_limit_bytes', ({ container }) => one(container.HostConfig.Memory)),
  metric('container_spec_memory_swap_limit_bytes', ({ container }) =>
    one(Math.max(0, container.HostConfig.MemorySwap)),
  ),
  // The metric is always 0, because dockershim never sets a reservation.
  metric('container_spec_memory_reservation_limit_bytes', () => one(0)),
  ...diskMetrics,
  ...cgroupMetrics,
];

type Counter = keyof DockerStats['networks'][string];

const network = (name: ContainerMetricName, key: Counter): MetricDefinition =>
  metric(name, ({ stats }) =>
    Object.entries(stats.networks).map(([label, counters]) => ({ labels: [label], value: counters[key] })),
  );

/** The network metrics of a sandbox. */
export const sandboxMetrics: readonly MetricDefinition[] = [
  network('container_network_receive_bytes_total', 'rx_bytes'),
  network('container_network_receive_packets_total', 'rx_packets'),
  network('container_network_receive_packets_dropped_total', 'rx_dropped'),
  network('container_network_receive_errors_total', 'rx_errors'),
  network('container_network_transmit_bytes_total', 'tx_bytes'),
  network('container_network_transmit_packets_total', 'tx_packets'),
  network('container_network_transmit_packets_dropped_total', 'tx_dropped'),
  network('container_network_transmit_errors_total', 'tx_errors'),
];

/**
 * Returns the descriptors of all metrics that ListPodSandboxMetrics can return.
 * @param has the prerequisites that this machine fulfills
 */
export const descriptorsOf = (has: ReadonlySet<MetricNeed>): MetricDescriptor[] =>
  metricDescriptors(
    [...containerMetrics, ...sandboxMetrics]
      .filter(({ needs }) => needs === undefined || has.has(needs))
      .map(({ name }) => name),
  );
