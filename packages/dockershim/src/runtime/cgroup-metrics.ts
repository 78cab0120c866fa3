/** The metrics of a container that only its control group knows: pressure and huge pages. */
import { counter, gauge, type MetricDefinition, type MetricSource, needing, type Reading } from './metric-definition.ts';

const microseconds = 1e6;

/** Seconds that some of the tasks, or all at once, could not go on. */
function pressure(resource: 'cpu' | 'memory' | 'io', what: string): MetricDefinition[] {
  const read =
    (kind: 'some' | 'full') =>
    ({ cgroup }: MetricSource): Reading[] => {
      const found = cgroup?.pressure[resource];
      return found ? [{ value: (found[kind]?.total ?? 0) / microseconds }] : [];
    };
  return [
    counter(`container_pressure_${resource}_waiting_seconds_total`, `Total time duration tasks in the container have waited due to ${what}.`, read('some')),
    counter(
      `container_pressure_${resource}_stalled_seconds_total`,
      `Total time duration no tasks in the container could make progress due to ${what}.`,
      read('full'),
    ),
  ];
}

const hugePages = (name: string, help: string, key: 'usage' | 'maxUsage'): MetricDefinition =>
  gauge(name, help, ({ cgroup }) => (cgroup?.hugePages ?? []).map((pages) => ({ labels: [pages.pageSize], value: pages[key] })), ['pagesize']);

/** Of each container. */
export const cgroupMetrics: readonly MetricDefinition[] = [
  ...needing('pressure', [...pressure('cpu', 'CPU congestion'), ...pressure('memory', 'memory congestion'), ...pressure('io', 'IO congestion')]),
  ...needing('hugePages', [
    hugePages('container_hugetlb_usage_bytes', 'Current hugepage usage in bytes.', 'usage'),
    hugePages('container_hugetlb_max_usage_bytes', 'Maximum hugepage usage recorded in bytes.', 'maxUsage'),
  ]),
];
