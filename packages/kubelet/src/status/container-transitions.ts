/**
 * Rejects a status in which a terminated container runs again although its restart policy forbids that. Upstream:
 * checkContainerStateTransition (v1.36).
 */

import {
  type PodStatus as ApiPodStatus,
  type Container,
  type ContainerStatus,
  isRestartableInitContainer,
  type Pod,
} from '@podscope/k8s';
import { containerShouldRestart } from '@podscope/kuberuntime';
import type { FeatureGates } from '../features.ts';
import { allContainersCouldRestart } from './restart-all-containers.ts';

function mayComeBack(container: Container | undefined, pod: Pod, exitCode: number, gates: FeatureGates): boolean {
  if (gates.RestartAllContainersOnContainerExits && allContainersCouldRestart(pod)) return true;
  // The pod's restart policy is checked first, even if the container has a policy of its own.
  if (pod.spec.restartPolicy === 'OnFailure' && exitCode !== 0) return true;
  return (
    gates.ContainerRestartRules && container !== undefined && containerShouldRestart(container, pod, exitCode, gates)
  );
}

/** Returns why the new status may not replace the old one; undefined when it may. */
export function forbiddenTransition(
  pod: Pod,
  old: ApiPodStatus,
  status: ApiPodStatus,
  gates: FeatureGates,
): string | undefined {
  const { containers, initContainers = [] } = pod.spec;
  // With the restart policy Always, every container of the pod may be restarted.
  const always = pod.spec.restartPolicy === undefined || pod.spec.restartPolicy === 'Always';
  const check = (
    what: string,
    list: readonly Container[],
    before: readonly ContainerStatus[] = [],
    after: readonly ContainerStatus[] = [],
  ): string | undefined => {
    for (const { name, state } of before) {
      const container = list.find((candidate) => candidate.name === name);
      const next = after.find((candidate) => candidate.name === name);
      if (!state?.terminated || !next || next.state?.terminated) continue;
      if (container && initContainers.includes(container) && isRestartableInitContainer(container)) continue;
      if (!mayComeBack(container, pod, state.terminated.exitCode, gates)) {
        return `terminated ${what} ${name} attempted illegal transition to non-terminated state`;
      }
    }
    return undefined;
  };
  if (always) return undefined;
  return (
    check('container', containers, old.containerStatuses, status.containerStatuses) ??
    check('init container', initContainers, old.initContainerStatuses, status.initContainerStatuses)
  );
}
