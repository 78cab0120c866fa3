/** Converts metric families to the rows of the tab. */
import type { MetricFamily } from '@podscope/kuberuntime/metrics';

/** The metrics of one CRI operation. Durations are in seconds. */
export interface OperationRow {
  /** Value of the label `operation_type`. */
  readonly operation: string;
  readonly calls: number;
  readonly errors: number;
  readonly mean: number;
  /**
   * The upper bound of the bucket that contains the median or the 99th percentile. Infinite if the value is above the
   * last bound.
   */
  readonly median: number;
  readonly percentile99: number;
}

/** A counter and the counter of its errors, in one row. */
interface StartRow {
  /** The metric's name, with its label if it has one. */
  readonly name: string;
  readonly value: number;
  readonly errors: number;
}

const samplesOf = (families: readonly MetricFamily[], name: string): MetricFamily['samples'] =>
  families.find((family) => family.name === name)?.samples ?? [];

const sum = (samples: MetricFamily['samples']): number => samples.reduce((total, { value }) => total + value, 0);

const operations = 'kubelet_runtime_operations';
const durations = `${operations}_duration_seconds`;

/** Returns the CRI operations, the most frequent first. */
export function operationRows(families: readonly MetricFamily[]): readonly OperationRow[] {
  const failed = samplesOf(families, `${operations}_errors_total`);
  const timed = samplesOf(families, durations);
  return samplesOf(families, `${operations}_total`)
    .map(({ labels, value: calls }): OperationRow => {
      const operation = labels['operation_type'] ?? '';
      const own = timed.filter((sample) => sample.labels['operation_type'] === operation);
      const quantile = (share: number): number => {
        const bucket = own.find(({ name, value }) => name === `${durations}_bucket` && value >= share * calls);
        const bound = bucket?.labels['le'];
        return bound === undefined || bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
      };
      return {
        operation,
        calls,
        errors: sum(failed.filter((sample) => sample.labels['operation_type'] === operation)),
        mean: sum(own.filter(({ name }) => name === `${durations}_sum`)) / calls,
        median: quantile(0.5),
        percentile99: quantile(0.99),
      };
    })
    .toSorted((a, b) => b.calls - a.calls || (a.operation < b.operation ? -1 : 1));
}

/** Returns the counters of started pods and containers. */
export function startRows(families: readonly MetricFamily[]): readonly StartRow[] {
  const [pods, containers] = ['kubelet_started_pods_total', 'kubelet_started_containers_total'] as const;
  const containerErrors = samplesOf(families, 'kubelet_started_containers_errors_total');
  return [
    {
      name: pods,
      value: sum(samplesOf(families, pods)),
      errors: sum(samplesOf(families, 'kubelet_started_pods_errors_total')),
    },
    ...samplesOf(families, containers).map(({ labels, value }) => {
      const type = labels['container_type'];
      return {
        name: `${containers}{container_type="${type}"}`,
        value,
        errors: sum(containerErrors.filter((sample) => sample.labels['container_type'] === type)),
      };
    }),
  ];
}
