/** Groups pods by priority for the shutdown of a node. Upstream: groupByPriority (pkg/kubelet/nodeshutdown, v1.36). */
import type { Pod } from '@podscope/k8s';

/** The time of all pods from this priority up to the next group's, in seconds. */
interface ShutdownPeriod {
  readonly priority: number;
  readonly seconds: number;
}

export interface ShutdownGroup extends ShutdownPeriod {
  readonly pods: readonly Pod[];
}

/**
 * Returns the groups with their pods. A pod belongs to the last group whose priority isn't above its own; a pod with a
 * lower priority than all groups belongs to the first group.
 * @param periods in ascending order of priority, at least one
 */
export function groupByPriority(periods: readonly ShutdownPeriod[], pods: readonly Pod[]): readonly ShutdownGroup[] {
  const groupOf = ({ spec: { priority = 0 } }: Pod): number =>
    Math.max(
      0,
      periods.findLastIndex((period) => period.priority <= priority),
    );
  return periods.map((period, index) => ({ ...period, pods: pods.filter((pod) => groupOf(pod) === index) }));
}
