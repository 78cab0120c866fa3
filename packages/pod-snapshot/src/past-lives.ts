/** What a pod's status tells of its sandbox and of the instances its containers had: which, from when to when, and how they ended. */
import { type Container, type ContainerKind, type ContainerStateTerminated, type ContainerStatus, type Pod, visitContainers } from '@podscope/k8s';
import { parseReference } from '@podscope/simulator';
import { addMilliseconds, type Instant, type Milliseconds } from '@podscope/trace';
import { instantOf } from './read-snapshots.ts';
import { ranAnotherTag } from './references.ts';

/** How an instance ended. */
export interface PastEnd {
  readonly at: Instant;
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, `ContainerCannotRun`, … */
  readonly reason: string;
  readonly message: string;
}

/** Why a process never ran. */
export const isStartFailure = (reason: string): boolean => ['ContainerCannotRun', 'StartError', 'RunContainerError'].includes(reason);

/** One instance of a container. */
export interface PastLife {
  readonly container: Container;
  readonly kind: ContainerKind;
  /** Its restart count. */
  readonly attempt: number;
  readonly startedAt: Instant;
  /** Undefined: it ran when the pod was looked at. */
  readonly end: PastEnd | undefined;
}

/** What there was of a pod in its runtime. */
export interface PastPod {
  /** Undefined: there was no sandbox. */
  readonly sandboxAt: Instant | undefined;
  /** The sandbox was still up when the pod was looked at. */
  readonly isSandboxReady: boolean;
  /** In the order of their starts. */
  readonly lives: readonly PastLife[];
}

/** About as long as a runtime needs between a sandbox and its first container. */
const sandboxLead: Milliseconds = 1_000;

/** A container of the pod beside its status; undefined for one without. */
interface Known {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly status: ContainerStatus;
}

/** Every container whose status is told. */
export function knownContainers({ spec, status = {} }: Pod): readonly Known[] {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];
  return [...visitContainers(spec)].flatMap(({ container, kind }) => {
    const found = statuses.find(({ name }) => name === container.name);
    return found ? [{ container, kind, status: found }] : [];
  });
}

/** The container as it ran: its spec may have been edited since, to an image that is none. */
function asItRan(pod: Pod, { container, status }: Known): Container {
  if (parseReference(container.image ?? '') && !ranAnotherTag(pod, container, status)) return container;
  return { ...container, image: parseReference(status.image) ? status.image : 'unknown' };
}

function ended(known: Known, attempt: number, terminated: ContainerStateTerminated, observedAt: Instant): PastLife {
  const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error', message = '' } = terminated;
  const at = instantOf(terminated.finishedAt) ?? observedAt;
  const startedAt = instantOf(terminated.startedAt) ?? at;
  return { ...known, attempt, startedAt: startedAt > at ? at : startedAt, end: { at, exitCode, reason, message } };
}

function livesOf(known: Known, observedAt: Instant): readonly PastLife[] {
  const { status } = known;
  const { state = {}, lastState = {}, restartCount } = status;
  const lives: PastLife[] = [];
  // While it waits, what ended last is the newest instance; beside a newer one it is the one before.
  const isNewest = !state.running && !state.terminated;
  const last = lastState.terminated;
  if (last && (isNewest || restartCount > 0)) lives.push(ended(known, isNewest ? restartCount : restartCount - 1, last, observedAt));
  if (state.terminated) lives.push(ended(known, restartCount, state.terminated, observedAt));
  if (state.running) lives.push({ ...known, attempt: restartCount, startedAt: instantOf(state.running.startedAt) ?? observedAt, end: undefined });
  return lives;
}

/** Reads a pod's status back into what its runtime held. @param observedAt stands for times that are not told */
export function readPast(pod: Pod, observedAt: Instant): PastPod {
  const { status = {} } = pod;
  const lives = knownContainers(pod)
    .flatMap((known) => livesOf({ ...known, container: asItRan(pod, known) }, observedAt))
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const condition = status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  const hadSandbox = lives.length > 0 || condition?.status === 'True' || Boolean(status.podIP);
  const isSandboxReady = hadSandbox && !isOver && (condition === undefined || condition.status === 'True');
  const known = condition?.status === 'True' ? instantOf(condition.lastTransitionTime) : instantOf(status.startTime);
  const first = lives[0] ? addMilliseconds(lives[0].startedAt, -sandboxLead) : undefined;
  const sandboxAt = hadSandbox ? ([known, first].filter((at) => at !== undefined).toSorted((a, b) => a - b)[0] ?? observedAt) : undefined;
  return { sandboxAt, isSandboxReady, lives };
}
