/** Exports the metrics of the runtime manager, which are computed from the event log. */
export { formatMetrics, type MetricFamily } from './format-metrics.ts';
export { RuntimeMetrics } from './runtime-metrics.ts';
export { type ContainerTypeLabel, StartMetrics } from './start-metrics.ts';
