/** Computes the phase of a pod. Upstream: getPhase (pkg/kubelet/kubelet_pods.go, v1.36). */

import {
  type Container,
  type ContainerStatus,
  isRestartableInitContainer,
  isStaticPod,
  type Pod,
  type PodPhase,
} from '@podscope/k8s';
import { containerShouldRestart } from '@podscope/kuberuntime';
import type { FeatureGates } from '../features.ts';
import { restartingAllContainersReason } from './restart-all-containers.ts';

/** How many containers are in each state. The phase is computed from these numbers. */
export interface PhaseCounters {
  pendingInit: number;
  failedInit: number;
  failedInitNotRestartable: number;
  pendingSidecar: number;
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  stoppedRestartable: number;
  succeeded: number;
}

export interface PhaseInput {
  readonly pod: Pod;
  readonly initStatuses: readonly ContainerStatus[];
  readonly containerStatuses: readonly ContainerStatus[];
  readonly podIsTerminal: boolean;
  /** True when a regular container has a status in the newest sandbox that is READY. */
  readonly podHasInitialized: boolean;
  readonly gates: FeatureGates;
}

const find = (statuses: readonly ContainerStatus[], { name }: Container): ContainerStatus | undefined =>
  statuses.find((status) => status.name === name);

const isRestartable = (
  container: Container,
  { pod, gates }: PhaseInput,
  terminated: { readonly exitCode: number; readonly reason?: string },
): boolean =>
  containerShouldRestart(container, pod, terminated.exitCode, gates) ||
  (gates.RestartAllContainersOnContainerExits && terminated.reason === restartingAllContainersReason);

function countInitContainer(container: Container, input: PhaseInput, counters: PhaseCounters): void {
  const { state = {}, lastState } = find(input.initStatuses, container) ?? {};
  const terminated = state.terminated ?? (state.waiting ? lastState?.terminated : undefined);
  if (!terminated) {
    counters.pendingInit += 1;
  } else if (terminated.exitCode !== 0) {
    counters.failedInit += 1;
    if (!isRestartable(container, input, terminated)) counters.failedInitNotRestartable += 1;
  }
}

function countSidecar(container: Container, input: PhaseInput, counters: PhaseCounters): void {
  const status = find(input.initStatuses, container);
  if (!status) {
    counters.unknown += 1;
  } else if (status.state?.running) {
    counters.running += 1;
    if (!status.started) counters.pendingSidecar += 1;
  } else if (status.state?.waiting) {
    if (status.lastState?.terminated) return;
    counters.waiting += 1;
    counters.pendingSidecar += 1;
  } else if (!status.state?.terminated) {
    counters.unknown += 1;
    counters.pendingSidecar += 1;
  }
}

function countContainer(container: Container, input: PhaseInput, counters: PhaseCounters): void {
  const { state = {}, lastState } = find(input.containerStatuses, container) ?? {};
  const terminated = state.terminated ?? (state.waiting ? lastState?.terminated : undefined);
  if (state.running) counters.running += 1;
  else if (terminated) {
    counters.stopped += 1;
    if (state.terminated?.exitCode === 0) counters.succeeded += 1;
    if (isRestartable(container, input, terminated)) counters.stoppedRestartable += 1;
  } else if (state.waiting) counters.waiting += 1;
  else counters.unknown += 1;
}

/** Counts the states of all containers. */
export function countStates(input: PhaseInput): PhaseCounters {
  const counters: PhaseCounters = {
    pendingInit: 0,
    failedInit: 0,
    failedInitNotRestartable: 0,
    pendingSidecar: 0,
    unknown: 0,
    running: 0,
    waiting: 0,
    stopped: 0,
    stoppedRestartable: 0,
    succeeded: 0,
  };
  for (const container of input.pod.spec.initContainers ?? []) {
    if (isRestartableInitContainer(container)) countSidecar(container, input, counters);
    else countInitContainer(container, input, counters);
  }
  for (const container of input.pod.spec.containers) countContainer(container, input, counters);
  return counters;
}

/** Returns the phase and the rule that determined it. */
export function getPhase(
  input: PhaseInput,
  counters: PhaseCounters = countStates(input),
): { readonly phase: PodPhase; readonly rule: string } {
  const { pod, gates, podIsTerminal } = input;
  const { restartPolicy } = pod.spec;
  const allStopped = counters.running === 0 && counters.stopped > 0 && counters.unknown === 0;
  const allSucceeded = counters.stopped === counters.succeeded;
  const initFailed = gates.ContainerRestartRules
    ? counters.failedInitNotRestartable > 0
    : counters.failedInit > 0 && restartPolicy === 'Never';
  if (initFailed) return { phase: 'Failed', rule: 'an init container failed and may not restart' };
  if (counters.pendingInit > 0) return { phase: 'Pending', rule: 'init containers are not done' };
  if (counters.pendingSidecar > 0 && !input.podHasInitialized)
    return { phase: 'Pending', rule: 'sidecars have not started' };
  if (counters.waiting > 0) return { phase: 'Pending', rule: 'a container waits for its first start' };
  if (counters.running > 0 && counters.unknown === 0)
    return { phase: 'Running', rule: 'a container runs and none is unknown' };
  if (!allStopped) return { phase: 'Pending', rule: 'a container is unknown' };
  if (podIsTerminal && !isStaticPod(pod)) {
    return allSucceeded
      ? { phase: 'Succeeded', rule: 'the pod has ended, all with 0' }
      : { phase: 'Failed', rule: 'the pod has ended, not all with 0' };
  }
  const willRestart = gates.ContainerRestartRules
    ? counters.stoppedRestartable > 0
    : restartPolicy === 'Always' || restartPolicy === undefined;
  if (willRestart) return { phase: 'Running', rule: 'stopped containers will restart' };
  if (allSucceeded) return { phase: 'Succeeded', rule: 'all containers exited with 0 and will not restart' };
  if (gates.ContainerRestartRules || restartPolicy === 'Never')
    return { phase: 'Failed', rule: 'a container failed and none will restart' };
  return { phase: 'Running', rule: 'failed containers will restart' };
}
