/**
 * Decides whether an exited container restarts. Upstream: pkg/kubelet/container/helpers.go, pkg/api/v1/pod/util.go
 * (v1.36; v1.20 where noted).
 */
import type { Container, ContainerRestartRule, Pod } from '@podscope/k8s';
import type { RuntimeGates } from '../profiles/gates.ts';
import { findContainerStatusByName, type PodStatus, type Status } from '../runtime.ts';

export type RestartGates = Pick<RuntimeGates, 'ContainerRestartRules' | 'RestartAllContainersOnContainerExits'>;

/** Returns false only for Never; an empty policy counts as Always. Upstream: shouldRestartOnFailure. */
export const shouldRestartOnFailure = ({ spec }: Pod): boolean => spec.restartPolicy !== 'Never';

/** Returns the first matching exit code rule. Upstream: findMatchingContainerRestartRule. */
export function findMatchingRestartRule(
  { restartPolicyRules }: Container,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules?.find(({ exitCodes }) => {
    if (!exitCodes) return false;
    const listed = exitCodes.values?.includes(exitCode) ?? false;
    return exitCodes.operator === 'In' ? listed : exitCodes.operator === 'NotIn' && !listed;
  });
}

const byPolicy = (policy: string, exitCode: number): boolean | undefined => {
  switch (policy) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    case 'Never':
      return false;
    default:
      return undefined;
  }
};

/**
 * Returns true if the container is restarted after this exit. The container's own rules and policy decide; without
 * them, the pod's policy does. Upstream: podutil.ContainerShouldRestart (v1.36).
 */
export function containerShouldRestart(container: Container, pod: Pod, exitCode: number, gates: RestartGates): boolean {
  if (container.restartPolicy !== undefined) {
    const action = findMatchingRestartRule(container, exitCode)?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && gates.RestartAllContainersOnContainerExits))
      return true;
    const own = byPolicy(container.restartPolicy, exitCode);
    if (own !== undefined) return own;
  }
  return byPolicy(pod.spec.restartPolicy ?? '', exitCode) ?? true;
}

/**
 * Returns true if a container that isn't running should be started. Upstream: kubecontainer.ShouldContainerBeRestarted
 * (v1.36, v1.20).
 */
export function shouldContainerBeRestarted(
  container: Container,
  pod: Pod,
  podStatus: PodStatus,
  gates: RestartGates,
): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const status = findContainerStatusByName(podStatus, container.name);
  if (!status) return true;
  if (status.state === 'running') return false;
  if (status.state !== 'exited') return true;
  if (gates.ContainerRestartRules) return containerShouldRestart(container, pod, status.exitCode, gates);
  if (pod.spec.restartPolicy === 'Never') return false;
  return !(pod.spec.restartPolicy === 'OnFailure' && status.exitCode === 0);
}

/** Returns true for a container that exited with code 0. Upstream: containerSucceeded (v1.36). */
export const containerSucceededV136 = (status: Status | undefined): boolean =>
  status?.state === 'exited' && status.exitCode === 0;

/**
 * Returns true for an init container that failed, was OOM-killed or has an unknown state. Upstream:
 * isInitContainerFailed (v1.36).
 */
export const isInitContainerFailedV136 = (status: Status): boolean =>
  status.reason === 'OOMKilled' || (status.state === 'exited' && status.exitCode !== 0) || status.state === 'unknown';
