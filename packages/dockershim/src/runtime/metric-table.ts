/** The metrics of containers and pods, under cAdvisor's names: what each is called and how it is read from the engine's counters. */
import type { MetricDescriptor } from '@podscope/cri';
import type { DockerStats } from '../docker/schemas.ts';
import { cgroupMetrics } from './cgroup-metrics.ts';
import { diskMetrics } from './disk-metrics.ts';
import { counter, gauge, type MetricDefinition, type MetricNeed, type MetricSource, type Reading } from './metric-definition.ts';

/** Labels that say whose a metric is, on every one. */
const identityLabels = ['id', 'name', 'image'] as const;

const nanoseconds = 1e9;
const one = (value: number): Reading[] => [{ value }];
/** The first counter that the engine has: control groups of version 1 and 2 name them differently. */
const memoryStat =
  (...names: readonly string[]) =>
  ({ stats }: MetricSource): Reading[] =>
    one(names.map((name) => stats.memory_stats.stats[name]).find((value) => value !== undefined) ?? 0);

const unixSeconds = (text: string): number => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, Math.floor(milliseconds / 1000));
};

/** Of each container. */
export const containerMetrics: readonly MetricDefinition[] = [
  counter('container_cpu_usage_seconds_total', 'Cumulative cpu time consumed in seconds.', ({ stats }) =>
    one(stats.cpu_stats.cpu_usage.total_usage / nanoseconds),
  ),
  counter('container_cpu_user_seconds_total', 'Cumulative user cpu time consumed in seconds.', ({ stats }) =>
    one(stats.cpu_stats.cpu_usage.usage_in_usermode / nanoseconds),
  ),
  counter('container_cpu_system_seconds_total', 'Cumulative system cpu time consumed in seconds.', ({ stats }) =>
    one(stats.cpu_stats.cpu_usage.usage_in_kernelmode / nanoseconds),
  ),
  counter('container_cpu_cfs_periods_total', 'Number of elapsed enforcement period intervals.', ({ stats }) => one(stats.cpu_stats.throttling_data.periods)),
  counter('container_cpu_cfs_throttled_periods_total', 'Number of throttled period intervals.', ({ stats }) =>
    one(stats.cpu_stats.throttling_data.throttled_periods),
  ),
  counter('container_cpu_cfs_throttled_seconds_total', 'Total time duration the container has been throttled.', ({ stats }) =>
    one(stats.cpu_stats.throttling_data.throttled_time / nanoseconds),
  ),
  gauge('container_memory_usage_bytes', 'Current memory usage in bytes, including all memory regardless of when it was accessed.', ({ stats }) =>
    one(stats.memory_stats.usage),
  ),
  gauge('container_memory_working_set_bytes', 'Current working set in bytes.', ({ stats: { memory_stats: memory } }) =>
    one(Math.max(0, memory.usage - (memory.stats['total_inactive_file'] ?? memory.stats['inactive_file'] ?? 0))),
  ),
  gauge('container_memory_max_usage_bytes', 'Maximum memory usage recorded in bytes.', ({ stats, cgroup }) =>
    one(stats.memory_stats.max_usage || (cgroup?.memoryPeak ?? 0)),
  ),
  gauge('container_memory_rss', 'Size of RSS in bytes.', memoryStat('total_rss', 'anon')),
  gauge('container_memory_cache', 'Number of bytes of page cache memory.', memoryStat('total_cache', 'file')),
  gauge('container_memory_mapped_file', 'Size of memory mapped files in bytes.', memoryStat('total_mapped_file', 'file_mapped')),
  gauge('container_memory_swap', 'Container swap usage in bytes.', ({ stats, cgroup }) => one(stats.memory_stats.stats['total_swap'] ?? cgroup?.swap ?? 0)),
  gauge('container_memory_kernel_usage', 'Size of kernel memory allocated in bytes.', memoryStat('kernel_usage', 'kernel_stack')),
  counter('container_memory_failcnt', 'Number of memory usage hits limits.', ({ stats }) => one(stats.memory_stats.failcnt)),
  counter(
    'container_memory_failures_total',
    'Cumulative count of memory allocation failures.',
    ({ stats: { memory_stats: memory } }) => [
      { labels: ['pgfault', 'container'], value: memory.stats['total_pgfault'] ?? memory.stats['pgfault'] ?? 0 },
      { labels: ['pgmajfault', 'container'], value: memory.stats['total_pgmajfault'] ?? memory.stats['pgmajfault'] ?? 0 },
    ],
    ['failure_type', 'scope'],
  ),
  counter('container_oom_events_total', 'Count of out of memory events observed for the container.', ({ container }) => one(container.State.OOMKilled ? 1 : 0)),
  gauge('container_processes', 'Number of processes running inside the container.', ({ stats }) => one(stats.pids_stats.current)),
  gauge('container_threads', 'Number of threads running inside the container.', ({ stats }) => one(stats.pids_stats.current)),
  gauge('container_threads_max', 'Maximum number of threads allowed inside the container, infinity if value is zero.', ({ stats }) =>
    // With cgroup v2 the engine says the largest number there is.
    one(Number.isSafeInteger(stats.pids_stats.limit) ? stats.pids_stats.limit : 0),
  ),
  gauge('container_last_seen', 'Last time a container was seen by the exporter.', ({ now }) => one(Math.floor(now / 1000))),
  gauge('container_start_time_seconds', 'Start time of the container since unix epoch in seconds.', ({ container }) =>
    one(unixSeconds(container.State.StartedAt)),
  ),
  gauge('container_spec_cpu_period', 'CPU period of the container.', ({ container }) => one(container.HostConfig.CpuPeriod)),
  gauge('container_spec_cpu_quota', 'CPU quota of the container.', ({ container }) => one(Math.max(0, container.HostConfig.CpuQuota))),
  gauge('container_spec_cpu_shares', 'CPU share of the container.', ({ container }) => one(container.HostConfig.CpuShares)),
  gauge('container_spec_memory_limit_bytes', 'Memory limit for the container.', ({ container }) => one(container.HostConfig.Memory)),
  gauge('container_spec_memory_swap_limit_bytes', 'Memory swap limit for the container.', ({ container }) => one(Math.max(0, container.HostConfig.MemorySwap))),
  // Dockershim reserves nothing.
  gauge('container_spec_memory_reservation_limit_bytes', 'Memory reservation limit for the container.', () => one(0)),
  ...diskMetrics,
  ...cgroupMetrics,
];

const network = (direction: 'receive' | 'transmit', what: string, key: keyof DockerStats['networks'][string], help: string): MetricDefinition =>
  counter(
    `container_network_${direction}_${what}_total`,
    help,
    ({ stats }) => Object.entries(stats.networks).map(([name, counters]) => ({ labels: [name], value: counters[key] })),
    ['interface'],
  );

/** Of each sandbox, whose network it is. */
export const sandboxMetrics: readonly MetricDefinition[] = [
  network('receive', 'bytes', 'rx_bytes', 'Cumulative count of bytes received.'),
  network('receive', 'packets', 'rx_packets', 'Cumulative count of packets received.'),
  network('receive', 'packets_dropped', 'rx_dropped', 'Cumulative count of packets dropped while receiving.'),
  network('receive', 'errors', 'rx_errors', 'Cumulative count of errors encountered while receiving.'),
  network('transmit', 'bytes', 'tx_bytes', 'Cumulative count of bytes transmitted.'),
  network('transmit', 'packets', 'tx_packets', 'Cumulative count of packets transmitted.'),
  network('transmit', 'packets_dropped', 'tx_dropped', 'Cumulative count of packets dropped while transmitting.'),
  network('transmit', 'errors', 'tx_errors', 'Cumulative count of errors encountered while transmitting.'),
];

/** What ListMetricDescriptors answers: exactly what ListPodSandboxMetrics gives. @param has what the machine has */
export const metricDescriptors = (has: ReadonlySet<MetricNeed>): MetricDescriptor[] =>
  [...containerMetrics, ...sandboxMetrics]
    .filter(({ needs }) => needs === undefined || has.has(needs))
    .map(({ name, help, labelKeys = [] }) => ({ name, help, labelKeys: [...identityLabels, ...labelKeys] }));
