/**
 * Reads the past of a pod from its status: the sandbox, and the start, end and exit of each known instance of a
 * container.
 */
import { readImageReference } from '@podscope/base';
import {
  type Container,
  type ContainerKind,
  type ContainerStateTerminated,
  type ContainerStatus,
  type Pod,
  visitContainers,
} from '@podscope/k8s';
import { addMilliseconds, type Instant, type Milliseconds } from '@podscope/trace';
import { ranAnotherTag } from './image-references.ts';
import { instantOf } from './pod-snapshot.ts';

/** The exit of an instance. */
export interface PastEnd {
  readonly at: Instant;
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, `ContainerCannotRun`, … */
  readonly reason: string;
  readonly message: string;
}

/** Returns whether `reason` shows that the process never ran. */
export const isStartFailure = (reason: string): boolean =>
  ['ContainerCannotRun', 'StartError', 'RunContainerError'].includes(reason);

/** An instance of a container. */
export interface PastInstance {
  readonly container: Container;
  readonly kind: ContainerKind;
  /** The restart count of this instance. */
  readonly attempt: number;
  readonly startedAt: Instant;
  /** The exit; undefined if the instance was running at the time of the snapshot. */
  readonly end: PastEnd | undefined;
}

/** The past of a pod in its runtime. */
export interface PastPod {
  /** Undefined for a pod without a sandbox. */
  readonly sandboxAt: Instant | undefined;
  /** Whether the sandbox was ready at the time of the snapshot. */
  readonly isSandboxReady: boolean;
  /** The instances of all containers, in the order in which they started. */
  readonly instances: readonly PastInstance[];
}

/** The typical time between the start of the sandbox and the start of the first container, in ms. */
const sandboxLead: Milliseconds = 1_000;

/** A container of the pod with its status. */
interface Known {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly status: ContainerStatus;
}

/** Returns the containers that have a status. */
export function knownContainers({ spec, status = {} }: Pod): readonly Known[] {
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  return [...visitContainers(spec)].flatMap(({ container, kind }) => {
    const found = statuses.find(({ name }) => name === container.name);
    return found ? [{ container, kind, status: found }] : [];
  });
}

/** Returns the container with the image that it ran. The image in the spec may have been changed since. */
function withPastImage(pod: Pod, { container, status }: Known): Container {
  if (readImageReference(container.image ?? '') && !ranAnotherTag(pod, container, status)) return container;
  return { ...container, image: readImageReference(status.image) ? status.image : 'unknown' };
}

function ended(known: Known, attempt: number, terminated: ContainerStateTerminated, observedAt: Instant): PastInstance {
  const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error', message = '' } = terminated;
  const at = instantOf(terminated.finishedAt) ?? observedAt;
  const startedAt = instantOf(terminated.startedAt) ?? at;
  return { ...known, attempt, startedAt: startedAt > at ? at : startedAt, end: { at, exitCode, reason, message } };
}

function instancesOf(known: Known, observedAt: Instant): readonly PastInstance[] {
  const { status } = known;
  const { state = {}, lastState = {}, restartCount } = status;
  const instances: PastInstance[] = [];
  // If the container waits, lastState is the newest instance; otherwise it is the one before.
  const isNewest = !state.running && !state.terminated;
  const last = lastState.terminated;
  if (last && (isNewest || restartCount > 0))
    instances.push(ended(known, isNewest ? restartCount : restartCount - 1, last, observedAt));
  if (state.terminated) instances.push(ended(known, restartCount, state.terminated, observedAt));
  if (state.running)
    instances.push({
      ...known,
      attempt: restartCount,
      startedAt: instantOf(state.running.startedAt) ?? observedAt,
      end: undefined,
    });
  return instances;
}

/**
 * Returns the past of a pod.
 * @param observedAt the time for statuses that contain no time
 */
export function readPast(pod: Pod, observedAt: Instant): PastPod {
  const { status = {} } = pod;
  const instances = knownContainers(pod)
    .flatMap((known) => instancesOf({ ...known, container: withPastImage(pod, known) }, observedAt))
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const condition = status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  const hadSandbox = instances.length > 0 || condition?.status === 'True' || Boolean(status.podIP);
  const isSandboxReady = hadSandbox && !isOver && (condition === undefined || condition.status === 'True');
  const known = condition?.status === 'True' ? instantOf(condition.lastTransitionTime) : instantOf(status.startTime);
  const first = instances[0] ? addMilliseconds(instances[0].startedAt, -sandboxLead) : undefined;
  const sandboxAt = hadSandbox
    ? ([known, first].filter((at) => at !== undefined).toSorted((a, b) => a - b)[0] ?? observedAt)
    : undefined;
  return { sandboxAt, isSandboxReady, instances };
}
