/**
 * Offers the page to scripts and tests as the global `podscope`. Queries return plain data. Commands use the page's own
 * connection, so they work the same for a server and for an engine in the page.
 */
import type { Command } from '@podscope/protocol';
import { currentBackOff, describePodForPeople, type PodTrack } from '@podscope/trace';
import { showPod, useView } from '../address/view-store.ts';
import type { CommandName } from '../connection/commands.ts';
import { useOpenNode } from '../run/open-node.ts';
import { arrived } from '../run/virtual-time.ts';
import type { PodReport } from './run-report.ts';

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
    /** Reason of the container status's waiting state. */
    reason: wait?.reason,
    backOff: backOff && { kind: backOff.kind, seconds: backOff.seconds, remaining: backOff.remaining },
    /** All back-offs, including the current one. */
    backOffs: pod.backOffs
      .filter(({ waiting }) => waiting)
      .map(({ kind, since: from, seconds }) => ({ at: from - since, kind, seconds })),
    /** Start and end of each attempt, in milliseconds after the pod was first seen. */
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
    /** `status.phase`; empty before the first status. */
    phase: pod.phases.at(-1)?.phase ?? '',
    /** The status that kubectl shows in its STATUS column. */
    status,
    ready,
    total,
    restarts,
    isGone: pod.deletedAt !== undefined,
    /** Milliseconds since the pod was first seen. Every `at` below is measured from the same moment. */
    age: now - since,
    phases: pod.phases.map(({ time, phase }) => ({ at: time - since, phase })),
    containers: pod.containers.map((container) => containerSummary(container, now, since)),
    results: pod.syncs.flatMap(({ number, results }) =>
      results.map(({ time, action, target, error, message }) => ({
        at: time - since,
        sync: number,
        action,
        target,
        error,
        message,
      })),
    ),
    events: pod.events.map(({ time, type, reason, message, container, count }) => ({
      at: time - since,
      type,
      reason,
      message,
      container,
      count,
    })),
    stoppedAt: pod.stoppedAt && { point: pod.stoppedAt.point, phase: pod.stoppedAt.phase },
  };
};

/** Summary of one pod. */
type PodSummary = ReturnType<typeof podSummary>;

/** Returns the state of the shown run. */
const runState = () => {
  const { run, connection } = useOpenNode.getState().session;
  return {
    /** Id of the run; undefined before the node has introduced itself. */
    run: connection.node?.run,
    lastSeq: run.history.lastSeq,
    /** Virtual time; undefined for a node on the machine's clock. */
    time: run.runTime,
  };
};

const handle = {
  state: runState,
  /** Pauses virtual time. Resolves with the node's virtual time, once the page shows everything up to that time. */
  async pause(): Promise<{ readonly now: number }> {
    const { session } = useOpenNode.getState();
    const { time, lastSeq } = await session.connection.command({ command: 'setTime', paused: true });
    await arrived(session, lastSeq);
    return { now: time.now };
  },
  /**
   * Advances virtual time by this many milliseconds. If `toNextChange` is true, stops earlier when a pod changes.
   * Resolves with the node's virtual time, once the page shows everything up to that time.
   */
  async step(milliseconds: number, toNextChange = false): Promise<{ readonly now: number }> {
    const { session } = useOpenNode.getState();
    const { time, lastSeq } = await session.connection.command({
      command: 'stepTime',
      milliseconds,
      ...(toNextChange ? { toNextChange } : {}),
    });
    await arrived(session, lastSeq);
    return { now: time.now };
  },
  /** Selects a pod and shows its whole life on the timeline. @param pod `namespace/name` */
  show(pod: string): void {
    const { run } = useOpenNode.getState().session;
    const track = run.fold.pods().findLast(({ namespace, name }) => `${namespace}/${name}` === pod);
    if (!track) return;
    showPod(track);
    const range = { start: Math.floor(track.firstTime) - 500, end: Math.ceil(run.now()) + 500 };
    useView.getState().show({ follow: false, range });
  },
  /** Returns the explanation of each pod, in English. */
  explain: async (): Promise<readonly PodReport[]> =>
    (await import('./run-report.ts')).podReports(useOpenNode.getState().session),
  /** Returns the run as a trace file, in base64. */
  saveRun: async (): Promise<string> =>
    (await import('./run-report.ts')).traceFileInBase64(useOpenNode.getState().session),
  /** Sends a protocol command (docs/reference/protocol.md) to the shown node. */
  command: (command: Command): Promise<unknown> =>
    useOpenNode.getState().session.connection.command<CommandName>(command),
  /** Returns the pods of the shown node at the shown instant. */
  pods(): readonly PodSummary[] {
    const { run } = useOpenNode.getState().session;
    return run.fold.pods().map((pod) => podSummary(pod, run.now()));
  },
  /** Returns the sequence number of the newest shown event. */
  lastSeq: (): number => useOpenNode.getState().session.run.fold.lastSeq,
};

/** Defines the global `podscope`. */
export const offerPageHandle = (): void => void Object.assign(globalThis, { podscope: handle });
