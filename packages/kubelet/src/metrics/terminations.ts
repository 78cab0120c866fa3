/** Finds the containers that terminate with a new status. Upstream: checkAndRecordTerminations (v1.36). */
import type { PodStatus as ApiPodStatus, ContainerStatus } from '@podscope/k8s';
import type { Measure } from './measures.ts';

type Termination = Extract<Measure, { readonly of: 'termination' }>;

/**
 * Returns the containers that are terminated in the new status and weren't in the old one. An end that no status ever
 * showed, because the container was restarted before, isn't found.
 */
export function terminations(old: ApiPodStatus, status: ApiPodStatus): readonly Termination[] {
  const find = (
    before: readonly ContainerStatus[] = [],
    after: readonly ContainerStatus[] = [],
    container: Termination['container'],
  ): readonly Termination[] =>
    after.flatMap(({ name, state }) => {
      const terminated = state?.terminated;
      if (!terminated || before.find((each) => each.name === name)?.state?.terminated) return [];
      return [{ of: 'termination', container, exitCode: terminated.exitCode, reason: terminated.reason ?? '' }];
    });
  return [
    ...find(old.initContainerStatuses, status.initContainerStatuses, 'init_container'),
    ...find(old.containerStatuses, status.containerStatuses, 'container'),
    ...find(old.ephemeralContainerStatuses, status.ephemeralContainerStatuses, 'ephemeral_container'),
  ];
}
