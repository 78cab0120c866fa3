/** Serves `/metrics/resource` for metrics-server. Upstream: the kubelet's resource metrics collector (v1.36). */
import { Gauge, Registry } from 'prom-client';
import type { UsageReport } from './stats-provider.ts';

const containerLabels = ['container', 'namespace', 'pod'] as const;
const podLabels = ['namespace', 'pod'] as const;
/** Factor from nanoseconds to seconds, the unit of the metrics. */
const nano = 1e-9;

/** Reads the usage of the node and its containers. */
interface UsageReader {
  read(): Promise<Pick<UsageReport, 'node' | 'containers'>>;
}

/** Returns the metrics in Prometheus' text format. If the runtime fails, one of the metrics reports the failure. */
export async function resourceMetrics(
  stats: UsageReader,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const registry = new Registry();
  const registers = [registry];
  const failed = new Gauge({
    name: 'resource_scrape_error',
    help: '1 if there was an error while getting container metrics, 0 otherwise.',
    registers,
  });
  try {
    const { node, containers } = await stats.read();
    new Gauge({
      name: 'node_cpu_usage_seconds_total',
      help: 'Cumulative cpu time the node used, in core-seconds.',
      registers,
    }).set(node.cpuNanoSeconds * nano);
    new Gauge({ name: 'node_memory_working_set_bytes', help: 'Working set of the node in bytes.', registers }).set(
      node.workingSetBytes,
    );
    const gauge = (name: string, help: string, labelNames: readonly string[]) =>
      new Gauge({ name, help, labelNames, registers });
    const containerCpu = gauge(
      'container_cpu_usage_seconds_total',
      'Cumulative cpu time the container used, in core-seconds.',
      containerLabels,
    );
    const containerMemory = gauge(
      'container_memory_working_set_bytes',
      'Working set of the container in bytes.',
      containerLabels,
    );
    const podCpu = gauge(
      'pod_cpu_usage_seconds_total',
      'Cumulative cpu time the pod used, in core-seconds.',
      podLabels,
    );
    const podMemory = gauge('pod_memory_working_set_bytes', 'Working set of the pod in bytes.', podLabels);
    for (const { container, namespace, pod, cpuNanoSeconds, workingSetBytes } of containers) {
      containerCpu.set({ container, namespace, pod }, cpuNanoSeconds * nano);
      containerMemory.set({ container, namespace, pod }, workingSetBytes);
      podCpu.inc({ namespace, pod }, cpuNanoSeconds * nano);
      podMemory.inc({ namespace, pod }, workingSetBytes);
    }
    failed.set(0);
  } catch {
    failed.set(1);
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}
