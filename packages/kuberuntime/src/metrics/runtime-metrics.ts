/**
 * Computes the kubelet's metrics of CRI calls from the spans of the event log. Upstream:
 * kuberuntime/instrumented_services.go, metrics/metrics.go (v1.36).
 */

import { criPoints } from '@podscope/flow';
import type { TraceEvent } from '@podscope/trace';
import type { MetricFamily, MetricSample } from './format-metrics.ts';

type CriMethod = keyof typeof criPoints;

/** The `operation_type` of the calls whose `operation_type` isn't their name in snake case. */
const irregular: Readonly<Partial<Record<CriMethod, string>>> = {
  RunPodSandbox: 'run_podsandbox',
  StopPodSandbox: 'stop_podsandbox',
  RemovePodSandbox: 'remove_podsandbox',
  PodSandboxStatus: 'podsandbox_status',
  ListPodSandbox: 'list_podsandbox',
  PodSandboxStats: 'podsandbox_stats',
  ListPodSandboxStats: 'list_podsandbox_stats',
  ListPodSandboxMetrics: 'list_podsandbox_metrics',
  UpdatePodSandboxResources: 'update_podsandbox_resources',
  UpdateContainerResources: 'update_container',
};

/** Returns the kubelet's `operation_type` of an RPC, for example `run_podsandbox` or `create_container`. */
export const operationType = (method: CriMethod): string =>
  irregular[method] ?? method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).slice(1);

const operationTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(criPoints).map(([method, { id }]) => [id, operationType(method as CriMethod)]),
);

/** The upper bounds of the buckets, in seconds. Upstream: metrics.ExponentialBuckets(.005, 2.5, 14). */
const operationBuckets = Array.from({ length: 14 }, (_, index) => 0.005 * 2.5 ** index);
/** The upper bounds of the buckets for sandboxes, in seconds. They are Prometheus' defaults. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
    this.count += 1;
  }

  samples(name: string, labels: Readonly<Record<string, string>>): MetricSample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index] ?? 0;
      return { name: `${name}_bucket`, labels: { ...labels, le: String(Number(bound.toPrecision(12))) }, value: below };
    });
    return [
      ...buckets,
      { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: this.count },
      { name: `${name}_sum`, labels, value: this.#sum },
      { name: `${name}_count`, labels, value: this.count },
    ];
  }
}

/** A histogram and an error counter, both with the same label. */
class Operations {
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #durations = new Map<string, Histogram>();
  readonly #errors = new Map<string, number>();

  constructor(label: string, bounds: readonly number[]) {
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(value: string, seconds: number, failed: boolean): void {
    let histogram = this.#durations.get(value);
    if (!histogram) this.#durations.set(value, (histogram = new Histogram(this.#bounds)));
    histogram.observe(seconds);
    if (failed) this.#errors.set(value, (this.#errors.get(value) ?? 0) + 1);
  }

  total(name: string, help: string): MetricFamily {
    const samples = [...this.#durations].map(([value, { count }]) => ({
      name,
      labels: { [this.#label]: value },
      value: count,
    }));
    return { name, help, type: 'counter', samples };
  }

  durations(name: string, help: string): MetricFamily {
    const samples = [...this.#durations].flatMap(([value, histogram]) =>
      histogram.samples(name, { [this.#label]: value }),
    );
    return { name, help, type: 'histogram', samples };
  }

  errors(name: string, help: string): MetricFamily {
    const samples = [...this.#errors].map(([value, count]) => ({
      name,
      labels: { [this.#label]: value },
      value: count,
    }));
    return { name, help, type: 'counter', samples };
  }
}

interface OpenCall {
  readonly operation: string;
  readonly startedAt: number;
  /** The runtime handler of a RunPodSandbox call; undefined for other calls. */
  readonly runtimeHandler: string | undefined;
}

/** Counts CRI calls. Keeps in memory only the calls in progress. */
export class RuntimeMetrics {
  readonly #open = new Map<number, OpenCall>();
  readonly #calls = new Operations('operation_type', operationBuckets);
  readonly #sandboxes = new Operations('runtime_handler', defaultBuckets);

  /** Processes the next event of the log. Events other than spans of CRI calls are ignored. */
  observe(event: TraceEvent): void {
    if (event.type === 'spanStarted') {
      const operation = operationTypes.get(event.point);
      if (operation === undefined) return;
      const runtimeHandler = operation === 'run_podsandbox' ? handlerOf(event.attributes['request']) : undefined;
      this.#open.set(event.span, { operation, startedAt: event.time, runtimeHandler });
    } else if (event.type === 'spanEnded') {
      const call = this.#open.get(event.span);
      if (!call) return;
      this.#open.delete(event.span);
      const seconds = Math.max(0, event.time - call.startedAt) / 1000;
      const failed = event.outcome !== 'ok';
      this.#calls.observe(call.operation, seconds, failed);
      if (call.runtimeHandler !== undefined) this.#sandboxes.observe(call.runtimeHandler, seconds, failed);
    }
  }

  /** Returns the metrics under the kubelet's names, as of the last event. */
  families(): readonly MetricFamily[] {
    return [
      this.#calls.total(
        'kubelet_runtime_operations_total',
        'Cumulative number of runtime operations by operation type.',
      ),
      this.#calls.durations(
        'kubelet_runtime_operations_duration_seconds',
        'Duration in seconds of runtime operations. Broken down by operation type.',
      ),
      this.#calls.errors(
        'kubelet_runtime_operations_errors_total',
        'Cumulative number of runtime operation errors by operation type.',
      ),
      this.#sandboxes.durations(
        'kubelet_run_podsandbox_duration_seconds',
        'Duration in seconds of the run_podsandbox operations. Broken down by RuntimeClass.Handler.',
      ),
      this.#sandboxes.errors(
        'kubelet_run_podsandbox_errors_total',
        'Cumulative number of the run_podsandbox operation errors by RuntimeClass.Handler.',
      ),
    ];
  }
}

/** Returns the runtime handler of a request; empty for the default handler. */
function handlerOf(request: unknown): string {
  const handler =
    typeof request === 'object' && request !== null && 'runtimeHandler' in request ? request.runtimeHandler : undefined;
  return typeof handler === 'string' ? handler : '';
}
