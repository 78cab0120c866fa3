/** Counts the runtime manager's metrics up to the shown moment, event by event. */
import {
  type ContainerTypeLabel,
  type MetricFamily,
  RuntimeMetrics,
  StartMetrics,
} from '@podscope/kuberuntime/metrics';
import type { PodTrack, RunHistory } from '@podscope/trace';

type PodOf = (uid: string) => PodTrack | undefined;

export class MetricsFold {
  #history: RunHistory | undefined;
  /** Number of the last counted event. */
  #seq = 0;
  #runtime = new RuntimeMetrics();
  #starts: StartMetrics | undefined;

  /**
   * Returns the metrics as of event `seq`. Continues from the previous call. For another run or an earlier event,
   * counts again from the first event.
   */
  familiesAt(history: RunHistory, seq: number, podOf: PodOf): readonly MetricFamily[] {
    if (history !== this.#history || seq < this.#seq || !this.#starts) {
      this.#history = history;
      this.#seq = 0;
      this.#runtime = new RuntimeMetrics();
      this.#starts = new StartMetrics((pod, container) => containerType(podOf(pod), container));
    }
    for (const event of history.range(this.#seq + 1, seq)) {
      this.#runtime.observe(event);
      this.#starts.observe(event);
    }
    this.#seq = seq;
    return [...this.#starts.families(), ...this.#runtime.families()];
  }
}

/** Returns the value of the label `container_type` for a container. A sidecar counts as an init container. */
function containerType(pod: PodTrack | undefined, name: string): ContainerTypeLabel {
  const type = pod?.containers.find((container) => container.name === name)?.type;
  if (type === 'init' || type === 'sidecar') return 'init_container';
  return type === 'ephemeral' ? 'ephemeral_container' : 'container';
}
