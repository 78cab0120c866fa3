/**
 * Counts started pods and containers from the events of the log. Upstream: metrics.StartedPodsTotal,
 * StartedContainersTotal and the counters of their errors. SyncPod (v1.36) increments them before each attempt.
 */
import { kuberuntimePoints, syncPodPoints } from '@podscope/flow';
import type { TraceEvent } from '@podscope/trace';
import type { MetricFamily } from './format-metrics.ts';

/** The value of the label `container_type`. Upstream: metrics.Container, InitContainer, EphemeralContainer. */
export type ContainerTypeLabel = 'container' | 'init_container' | 'ephemeral_container';

/** Counts how often each combination of label values occurred. */
class LabeledCounter {
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();

  inc(labels: Readonly<Record<string, string>>): void {
    const key = Object.values(labels).join('\n');
    const entry = this.#counts.get(key);
    if (entry) entry.value += 1;
    else this.#counts.set(key, { labels, value: 1 });
  }

  family(name: string, help: string): MetricFamily {
    return { name, help, type: 'counter', samples: [...this.#counts.values()].map((count) => ({ name, ...count })) };
  }
}

/** Counts attempts to start pods and containers. */
export class StartMetrics {
  readonly #containerType: (pod: string, container: string) => ContainerTypeLabel;
  /** The containers whose start is in progress and has been counted, as `pod uid/name`. */
  readonly #attempts = new Set<string>();
  readonly #containers = new LabeledCounter();
  readonly #containerErrors = new LabeledCounter();
  #pods = 0;
  #podErrors = 0;

  /** @param containerType returns the type of a container, by pod UID and container name */
  constructor(containerType: (pod: string, container: string) => ContainerTypeLabel) {
    this.#containerType = containerType;
  }

  /** Processes the next event of the log. Other types of events are ignored. */
  observe(event: TraceEvent): void {
    const { pod = '' } = event;
    if (event.type === 'spanStarted') {
      const container = event.attributes['container'];
      if (event.point === syncPodPoints.createPodSandbox.id) this.#pods += 1;
      else if (event.point === kuberuntimePoints.startContainer.id && typeof container === 'string')
        this.#countContainer(pod, container);
    } else if (event.type === 'syncResult') this.#onResult(pod, event.action, event.target, event.error);
  }

  #countContainer(pod: string, container: string): void {
    this.#attempts.add(`${pod}/${container}`);
    this.#containers.inc({ container_type: this.#containerType(pod, container) });
  }

  #onResult(pod: string, action: string, target: string, error: string | undefined): void {
    if (action === 'CreatePodSandbox' && error !== undefined) this.#podErrors += 1;
    // A container in back-off was not started, so it doesn't count.
    if (action !== 'StartContainer' || error === 'CrashLoopBackOff') return;
    const labels = { container_type: this.#containerType(pod, target) };
    // If an image volume can't be mounted, SyncPod returns before it calls startContainer, and counts no error.
    if (!this.#attempts.delete(`${pod}/${target}`)) this.#containers.inc(labels);
    else if (error !== undefined) this.#containerErrors.inc({ ...labels, code: error });
  }

  /** Returns the metrics under the kubelet's names, as of the last event. */
  families(): readonly MetricFamily[] {
    const total = (name: string, help: string, value: number): MetricFamily => ({
      name,
      help,
      type: 'counter',
      samples: [{ name, labels: {}, value }],
    });
    return [
      total('kubelet_started_pods_total', 'Cumulative number of pods started', this.#pods),
      total('kubelet_started_pods_errors_total', 'Cumulative number of errors when starting pods', this.#podErrors),
      this.#containers.family('kubelet_started_containers_total', 'Cumulative number of containers started'),
      this.#containerErrors.family(
        'kubelet_started_containers_errors_total',
        'Cumulative number of errors when starting containers',
      ),
    ];
  }
}
