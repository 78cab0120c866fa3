/** Exports the metrics that the runtime manager keeps, computed from the event log. */
export { formatMetrics, type MetricFamily } from './format-metrics.ts';
export { RuntimeMetrics } from './runtime-metrics.ts';
export { type ContainerTypeLabel, StartMetrics } from './start-metrics.ts';
