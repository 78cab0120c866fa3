/** Reads the inspector's data from the API object and its status. */
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '@podscope/k8s';
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import type { translate } from '../../base/i18n/i18n.ts';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { inspectorMessages, stateMessages } from './messages.en.ts';

type Translate = typeof translate;

/**
 * Returns the pod's status. The casts are safe: the API server validated these objects, and callers handle missing
 * members.
 */
const statusOf = (pod: PodTrack): PodStatus => pod.status ?? objectOf(pod).status ?? {};
const objectOf = (pod: PodTrack): Partial<Pod> => pod.object ?? {};

export interface PodFacts {
  readonly phase: string | undefined;
  readonly ip: string | undefined;
  readonly qosClass: string | undefined;
  readonly restartPolicy: string | undefined;
  readonly gracePeriod: number | undefined;
}

export function readPodFacts(pod: PodTrack): PodFacts {
  const { phase, podIP, qosClass } = statusOf(pod);
  const { spec, metadata } = objectOf(pod);
  return {
    phase,
    ip: podIP || pod.sandbox.attempts.at(-1)?.ip,
    qosClass,
    restartPolicy: spec?.restartPolicy,
    gracePeriod: metadata?.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds,
  };
}

export const readConditions = (pod: PodTrack): readonly PodCondition[] => statusOf(pod).conditions ?? [];

export interface ContainerLine {
  readonly name: string;
  readonly type: string;
  /** State, such as `running`, `CrashLoopBackOff`, `exit code 1`. */
  readonly state: string;
  readonly tone: Tone;
  readonly restarts: number;
  /** Id of the timeline item to select for the container. */
  readonly item: string | undefined;
}

const typeWords: Readonly<Record<ContainerTrack['type'], string>> = {
  sandbox: 'sandbox',
  init: 'init',
  sidecar: 'sidecar',
  container: '',
  ephemeral: 'ephemeral',
};

function stateOf(t: Translate, status: ContainerStatus | undefined): Pick<ContainerLine, 'state' | 'tone'> {
  const { waiting, running, terminated } = status?.state ?? {};
  if (terminated) {
    const isGood = terminated.exitCode === 0;
    return {
      state: isGood
        ? t(stateMessages.completed)
        : t(stateMessages.ended, { reason: terminated.reason ?? t(stateMessages.exited), code: terminated.exitCode }),
      tone: isGood ? 'succeeded' : 'error',
    };
  }
  if (running)
    return {
      state: t(status?.ready ? stateMessages.running : stateMessages.notReady),
      tone: status?.ready ? 'running' : 'progressing',
    };
  const reason = waiting?.reason;
  if (reason === undefined) return { state: t(stateMessages.waiting), tone: 'pending' };
  if (reason === 'ContainerCreating' || reason === 'PodInitializing') return { state: reason, tone: 'pending' };
  return { state: reason, tone: reason.endsWith('BackOff') ? 'waiting' : 'error' };
}

function itemOf(track: ContainerTrack): string | undefined {
  const attempt = track.attempts.at(-1);
  if (attempt) return `attempt:${attempt.id}`;
  const activity = track.activities.at(-1);
  return activity && `span:${activity.span}`;
}

/**
 * Returns the state of a sandbox. While RunPodSandbox runs, the sandbox counts as being created, because the runtime
 * reports an unfinished sandbox in the same way as a stopped one.
 */
function stateOfSandbox(t: Translate, { attempts, activities }: ContainerTrack): Pick<ContainerLine, 'state' | 'tone'> {
  if (activities.some(({ kind, end }) => kind === 'create' && end === undefined))
    return { state: t(stateMessages.creating), tone: 'progressing' };
  const sandbox = attempts.at(-1);
  if (!sandbox) return { state: t(stateMessages.none), tone: 'pending' };
  return sandbox.state === 'running'
    ? { state: t(stateMessages.ready), tone: 'running' }
    : { state: t(stateMessages[sandbox.state]), tone: 'succeeded' };
}

/** Returns the sandbox, then the containers in the order of the spec. */
export function readContainers(t: Translate, pod: PodTrack): readonly ContainerLine[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = statusOf(pod);
  const statuses = new Map(
    [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].map((status) => [
      status.name,
      status,
    ]),
  );
  const sandbox = pod.sandbox.attempts.at(-1);
  return [
    {
      name: t(inspectorMessages.sandbox),
      type: '',
      ...stateOfSandbox(t, pod.sandbox),
      restarts: sandbox?.attempt ?? 0,
      item: itemOf(pod.sandbox),
    },
    ...pod.containers.map((track): ContainerLine => {
      const status = statuses.get(track.name);
      return {
        name: track.name,
        type: typeWords[track.type],
        ...stateOf(t, status),
        restarts: status?.restartCount ?? 0,
        item: itemOf(track),
      };
    }),
  ];
}
