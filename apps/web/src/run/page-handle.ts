/**
 * The page for scripts and tests: `podscope` in the console. What it says is plain data that can be handed over; what it does goes over the
 * page's own connection, so that a node in a server and one in the page answer alike.
 */
import type { Command } from '@podscope/protocol';
import { currentBackOff, describePodForPeople, type PodTrack } from '@podscope/trace';
import type { CommandName } from '../connection/commands.ts';
import { useOpenNode } from './open-node.ts';

const containerSummary = (pod: PodTrack['containers'][number], now: number, since: number) => {
  const attempt = pod.attempts.at(-1);
  const wait = pod.waits.at(-1);
  const backOff = currentBackOff(pod, now);
  return {
    name: pod.name,
    type: pod.type,
    attempt: attempt?.attempt ?? 0,
    state: attempt?.state ?? 'none',
    exitCode: attempt?.exitCode,
    /** Why it waits, as the status says. */
    reason: wait?.reason,
    backOff: backOff && { kind: backOff.kind, seconds: backOff.seconds, remaining: backOff.remaining },
    /** The waits it has had, the present one among them. */
    backOffs: pod.backOffs.filter(({ waiting }) => waiting).map(({ kind, since: from, seconds }) => ({ at: from - since, kind, seconds })),
    /** When each of its attempts started and ended, in milliseconds after the pod was first heard of. */
    attempts: pod.attempts.map(({ attempt: number, startedAt, finishedAt, exitCode }) => ({
      attempt: number,
      startedAt: startedAt === undefined ? undefined : startedAt - since,
      finishedAt: finishedAt === undefined ? undefined : finishedAt - since,
      exitCode,
    })),
  };
};

const podSummary = (pod: PodTrack, now: number) => {
  const { status, ready, total, restarts } = describePodForPeople(pod, now);
  const since = pod.firstTime;
  return {
    uid: pod.uid,
    namespace: pod.namespace,
    name: pod.name,
    /** `status.phase`; empty before there is one. */
    phase: pod.phases.at(-1)?.phase ?? '',
    /** What kubectl shows. */
    status,
    ready,
    total,
    restarts,
    isGone: pod.deletedAt !== undefined,
    /** Milliseconds since it was first heard of; `at` of what follows is counted alike. */
    age: now - since,
    phases: pod.phases.map(({ time, phase }) => ({ at: time - since, phase })),
    containers: pod.containers.map((container) => containerSummary(container, now, since)),
    results: pod.syncs.flatMap(({ number, results }) =>
      results.map(({ time, action, target, error, message }) => ({ at: time - since, sync: number, action, target, error, message })),
    ),
    events: pod.events.map(({ time, type, reason, message, container, count }) => ({ at: time - since, type, reason, message, container, count })),
    stoppedAt: pod.stoppedAt && { point: pod.stoppedAt.point, phase: pod.stoppedAt.phase },
  };
};

/** Everything a script may know of one pod. */
type PodSummary = ReturnType<typeof podSummary>;

const handle = {
  /** Sends a command of the protocol (docs/protocol.md) to the node in view. */
  command: (command: Command): Promise<unknown> => useOpenNode.getState().session.connection.command<CommandName>(command),
  /** The pods of the node in view, at the instant in view. */
  pods(): readonly PodSummary[] {
    const { run } = useOpenNode.getState().session;
    return run.fold.pods().map((pod) => podSummary(pod, run.now()));
  },
  /** Number of the newest event that is in view. */
  lastSeq: (): number => useOpenNode.getState().session.run.fold.lastSeq,
};

/** Puts it where a console finds it. */
export const offerPageHandle = (): void => void Object.assign(globalThis, { podscope: handle });
