/** Defines the metrics that only the container's cgroup provides: pressure and huge pages. */
import type { MetricReading } from '@podscope/cri';
import { type MetricDefinition, type MetricSource, metric, needing } from './metric-definition.ts';

const microseconds = 1e6;

/** Returns the metrics for the seconds in which some tasks, or all tasks, were stalled on a resource. */
function pressure(resource: 'cpu' | 'memory' | 'io'): MetricDefinition[] {
  const read =
    (kind: 'some' | 'full') =>
    ({ cgroup }: MetricSource): MetricReading[] => {
      const found = cgroup?.pressure[resource];
      return found ? [{ value: (found[kind]?.total ?? 0) / microseconds }] : [];
    };
  return [
    metric(`container_pressure_${resource}_waiting_seconds_total`, read('some')),
    metric(`container_pressure_${resource}_stalled_seconds_total`, read('full')),
  ];
}

const hugePages =
  (key: 'usage' | 'maxUsage') =>
  ({ cgroup }: MetricSource): MetricReading[] =>
    (cgroup?.hugePages ?? []).map((pages) => ({ labels: [pages.pageSize], value: pages[key] }));

/** The metrics of a container that are read from its cgroup. */
export const cgroupMetrics: readonly MetricDefinition[] = [
  ...needing('pressure', [...pressure('cpu'), ...pressure('memory'), ...pressure('io')]),
  ...needing('hugePages', [
    metric('container_hugetlb_usage_bytes', hugePages('usage')),
    metric('container_hugetlb_max_usage_bytes', hugePages('maxUsage')),
  ]),
];
