/** Computes ListPodSandboxMetrics from the stats. The metrics have the names that cAdvisor gives them. */
import {
  type ContainerMetrics,
  type MetricReader,
  metricDescriptors,
  type PodSandboxMetrics,
  readMetrics,
} from '@podscope/cri';
import { toNanoseconds } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import type { SimulatedNode } from '../node.ts';
import type { Records } from '../records.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { containerStats, sandboxStats } from './stats.ts';

const nanoseconds = 1e9;
const seconds = (ms: number | undefined): number => Math.floor((ms ?? 0) / 1000);
/** The value of the label for the device. It is empty, because the only simulated disk has no name. */
const device = [''];

interface Source {
  readonly node: SimulatedNode;
  readonly cpuNanoseconds: number;
  readonly memory: number;
  readonly layer: number;
  readonly processes: number;
  readonly startedAt: number | undefined;
  readonly record: SimulatedContainer | undefined;
}

type Reader = MetricReader<Source>;
const value =
  (read: (source: Source) => number | undefined): Reader['read'] =>
  (source) => [{ value: read(source) ?? 0 }];
const ofDevice =
  (read: (source: Source) => number): Reader['read'] =>
  (source) => [{ labels: device, value: read(source) }];

/** The metrics of each container, and of each sandbox as a whole. */
const containerReaders: readonly Reader[] = [
  { name: 'container_cpu_usage_seconds_total', read: value(({ cpuNanoseconds }) => cpuNanoseconds / nanoseconds) },
  { name: 'container_memory_usage_bytes', read: value(({ memory }) => memory) },
  { name: 'container_memory_working_set_bytes', read: value(({ memory }) => memory) },
  { name: 'container_memory_rss', read: value(({ memory }) => memory) },
  { name: 'container_oom_events_total', read: value(({ record }) => (record?.machine?.oomKilled ? 1 : 0)) },
  { name: 'container_processes', read: value(({ processes }) => processes) },
  { name: 'container_threads', read: value(({ processes }) => processes) },
  { name: 'container_last_seen', read: value(({ node }) => seconds(node.clock.now())) },
  { name: 'container_start_time_seconds', read: value(({ startedAt }) => seconds(startedAt)) },
  { name: 'container_spec_cpu_period', read: value(({ record }) => record?.resources.cpuPeriod) },
  { name: 'container_spec_cpu_quota', read: value(({ record }) => Math.max(0, record?.resources.cpuQuota ?? 0)) },
  { name: 'container_spec_cpu_shares', read: value(({ record }) => record?.resources.cpuShares) },
  { name: 'container_spec_memory_limit_bytes', read: value(({ record }) => record?.resources.memoryLimitInBytes) },
  { name: 'container_fs_usage_bytes', read: ofDevice(({ layer }) => layer) },
];

/** The metrics that only sandboxes have. They are always 0, because the simulated network counts no bytes. */
const sandboxReaders: readonly Reader[] = (
  ['container_network_receive_bytes_total', 'container_network_transmit_bytes_total'] as const
).map((name) => ({
  name,
  read: () => [{ labels: ['eth0'], value: 0 }],
}));

/** The descriptors of all metrics. */
export const descriptors = metricDescriptors([...containerReaders, ...sandboxReaders].map(({ name }) => name));

/** Returns the metrics of a pod sandbox and its running containers. */
export function podMetrics(records: Records, sandbox: SimulatedSandbox): PodSandboxMetrics {
  const { node } = records;
  const timestamp = toNanoseconds(node.clock.now());
  const { linux } = sandboxStats(records, sandbox);
  const whole: Source = {
    node,
    cpuNanoseconds: linux?.cpu?.usageCoreNanoSeconds?.value ?? 0,
    memory: linux?.memory?.usageBytes?.value ?? 0,
    layer: 0,
    processes: linux?.process?.processCount?.value ?? 0,
    startedAt: sandbox.createdAt,
    record: undefined,
  };
  const containers = records.containersOf(sandbox.id).filter(({ running }) => running);
  return {
    podSandboxId: sandbox.id,
    metrics: readMetrics(
      whole,
      [...containerReaders, ...sandboxReaders],
      { id: sandbox.id, name: 'POD', image: node.sandboxImage },
      timestamp,
    ),
    containerMetrics: containers.map((record): ContainerMetrics => {
      const { cpu, memory, writableLayer } = containerStats(records, record);
      const source: Source = {
        node,
        cpuNanoseconds: cpu?.usageCoreNanoSeconds?.value ?? 0,
        memory: memory?.usageBytes?.value ?? 0,
        layer: writableLayer?.usedBytes?.value ?? 0,
        processes: record.machine?.processes.length ?? 0,
        startedAt: record.startedAt,
        record,
      };
      const identity = { id: record.id, name: record.config.metadata.name, image: record.config.image.image };
      return { containerId: record.id, metrics: readMetrics(source, containerReaders, identity, timestamp) };
    }),
  };
}
