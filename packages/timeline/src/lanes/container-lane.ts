/**
 * The lane of one container, or of the sandboxes: pulling, creating, running, exited, and every wait in between as something to see. The
 * upper row never has a hole while the pod lives; hooks and stopping, which happen while it runs, stand in the row below.
 */
import type { ActivityRecord, AttemptRecord, BackOffRecord, ContainerTrack, PodTrack, SpanRecord } from '@podscope/trace';
import type { Item, ItemState, Lane, Marker } from '../model.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

interface Segment {
  readonly item: Item;
  /** The attempt that ends with it. */
  readonly attempt?: AttemptRecord | undefined;
}

const activityLooks: Readonly<Record<ActivityRecord['kind'], { readonly state: ItemState; readonly label: string; readonly row: 0 | 1 }>> = {
  pull: { state: 'pulling', label: 'pull', row: 0 },
  create: { state: 'creating', label: 'create', row: 0 },
  start: { state: 'creating', label: 'start', row: 0 },
  postStart: { state: 'hook', label: 'postStart', row: 1 },
  preStop: { state: 'hook', label: 'preStop', row: 1 },
  stop: { state: 'stopping', label: 'stop', row: 1 },
  remove: { state: 'stopping', label: 'remove', row: 1 },
};

const percent = (progress: number | undefined): string | undefined => (progress === undefined || progress >= 1 ? undefined : `${Math.floor(progress * 100)} %`);

function activityItem(activity: ActivityRecord, type: ContainerTrack['type'], spanOf: SpanOf): Item {
  const { state, label, row } = activityLooks[activity.kind];
  const error = activity.outcome === 'error' ? spanOf(activity.span)?.error : undefined;
  return {
    id: `span:${activity.span}`,
    start: activity.start,
    end: activity.end,
    row,
    state,
    label: error ? `${label}: ${error.reason}` : label,
    detail:
      activity.kind === 'pull'
        ? [percent(activity.progress), activity.detail].filter(Boolean).join(' · ')
        : type === 'sandbox' && activity.kind === 'create'
          ? activity.detail
          : undefined,
    progress: activity.kind === 'pull' ? activity.progress : undefined,
    failed: activity.outcome === 'error',
    error: error?.message,
    span: activity.span,
  };
}

const badExit = ({ exitCode, reason }: AttemptRecord): boolean =>
  (exitCode ?? 0) !== 0 || (reason !== undefined && reason !== 'Completed' && reason !== 'Exited');

/** `exit 137 · OOMKilled` */
const exitText = ({ exitCode, reason }: AttemptRecord): string =>
  [exitCode === undefined ? 'exited' : `exit ${exitCode}`, reason && reason !== 'Error' && reason !== 'Completed' ? reason : undefined]
    .filter(Boolean)
    .join(' · ');

function attemptItem(attempt: AttemptRecord, type: ContainerTrack['type']): Item | undefined {
  if (attempt.startedAt === undefined) return undefined;
  const detail = type === 'sandbox' ? attempt.ip : undefined;
  const again = attempt.attempt > 0 ? `running  #${attempt.attempt + 1}` : 'running';
  return {
    id: `attempt:${attempt.id}`,
    start: attempt.startedAt,
    end: attempt.finishedAt ?? attempt.removedAt,
    row: 0,
    state: 'running',
    label: type === 'sandbox' ? (attempt.attempt > 0 ? `ready  #${attempt.attempt + 1}` : 'ready') : again,
    detail,
    failed: attempt.finishedAt !== undefined && badExit(attempt),
    error: attempt.finishedAt !== undefined && badExit(attempt) ? [exitText(attempt), attempt.message].filter(Boolean).join(': ') : undefined,
  };
}

function backOffItem(entry: BackOffRecord, name: string): Item {
  return {
    id: `backoff:${name}:${entry.kind}:${entry.since}`,
    start: entry.since,
    end: Math.max(entry.since, Math.min(entry.endedAt ?? entry.until, entry.until)),
    row: 0,
    state: 'backoff',
    label: `back-off ${entry.seconds < 60 ? `${entry.seconds}s` : `${Math.floor(entry.seconds / 60)}m${entry.seconds % 60 ? ` ${entry.seconds % 60}s` : ''}`}`,
    detail: entry.kind === 'image' ? 'image pull' : undefined,
    countdownTo: entry.endedAt === undefined ? entry.until : undefined,
  };
}

/** Why the container does not run at `time`, as the pod status said. */
function waitAt(track: ContainerTrack, time: number) {
  const told = track.waits.findLast((wait) => wait.time <= time) ?? track.waits[0];
  return told?.reason === undefined ? undefined : told;
}

/** What stands between two segments: the exited container, or a wait with its reason. */
function between(track: ContainerTrack, before: Segment | undefined, start: number, end: number | undefined, uid: string): Item[] {
  const attempt = before?.attempt;
  if (attempt) {
    const isGone = attempt.removedAt !== undefined && (end === undefined || attempt.removedAt < end);
    const exited: Item = {
      id: `exited:${attempt.id}`,
      start,
      end: isGone ? Math.max(start, attempt.removedAt ?? start) : end,
      row: 0,
      state: badExit(attempt) ? 'error' : 'succeeded',
      label: track.type === 'sandbox' ? 'stopped' : exitText(attempt),
      detail: attempt.message,
    };
    if (!isGone) return [exited];
    // Nothing is left of it: what follows is a wait only when something is still to come.
    return end === undefined ? [exited] : [exited, ...between(track, undefined, exited.end ?? start, end, uid)];
  }
  const wait = waitAt(track, start);
  const isOver = before?.item.state === 'backoff' || (track.type === 'sandbox' && before?.item.failed === true);
  return [
    {
      id: `wait:${uid}:${track.name}:${start}`,
      start,
      end,
      row: 0,
      state: 'waiting',
      label: isOver ? 'next sync' : (wait?.reason ?? 'waiting'),
      detail: before?.item.state === 'backoff' ? 'the back-off is over' : wait?.message,
    },
  ];
}

/** Between two calls of one start lie a few milliseconds of the kubelet's own work: not a wait. */
const ownWork = 20;

const isWait = (before: Segment | undefined, gap: number): boolean => gap > (before?.item.span === undefined ? 0 : ownWork);

/** Puts segments one after the other and fills what is between them. */
function fillRow(track: ContainerTrack, pod: PodTrack, segments: readonly Segment[]): Item[] {
  const items: Item[] = [];
  const isLate = track.type === 'ephemeral' || track.type === 'sandbox';
  let cursor = isLate ? (segments[0]?.item.start ?? pod.lastTime) : pod.firstTime;
  let before: Segment | undefined;
  for (const segment of segments) {
    const last = items.at(-1);
    if (last && before && last.end !== undefined && last.end > segment.item.start) {
      // The calls' times and the runtime's own overlap by a little: the later one is right about when it began.
      items[items.length - 1] = { ...last, end: Math.max(last.start, segment.item.start) };
    } else if (isWait(before, segment.item.start - cursor)) {
      items.push(...between(track, before, cursor, segment.item.start, pod.uid));
    }
    items.push(segment.item);
    before = segment;
    if (segment.item.end === undefined) return items;
    cursor = segment.item.end;
  }
  if (pod.deletedAt !== undefined && cursor >= pod.deletedAt) return items;
  const isExpected = !isLate || before !== undefined;
  if (isExpected && (before?.attempt || (track.type !== 'sandbox' && pod.deletionRequestedAt === undefined))) {
    items.push(...between(track, before, cursor, pod.deletedAt, pod.uid));
  }
  return items;
}

const exitMarkers = (track: ContainerTrack): Marker[] =>
  track.attempts.flatMap((attempt) =>
    attempt.finishedAt === undefined || attempt.startedAt === undefined || track.type === 'sandbox'
      ? []
      : [
          {
            id: `exit:${attempt.id}`,
            time: attempt.finishedAt,
            kind: badExit(attempt) ? 'failure' : 'exit',
            badge: attempt.exitCode === undefined ? undefined : String(attempt.exitCode),
            label: exitText(attempt),
            detail: attempt.message,
          } satisfies Marker,
        ],
  );

/** Makes the lane of a container's track. */
export function containerLane(track: ContainerTrack, pod: PodTrack, spanOf: SpanOf, group: string | undefined): Lane {
  const activities = track.activities.map((activity) => activityItem(activity, track.type, spanOf));
  const segments: Segment[] = [
    ...activities.filter(({ row }) => row === 0).map((item) => ({ item })),
    ...track.attempts.flatMap((attempt) => {
      const item = attemptItem(attempt, track.type);
      return item ? [{ item, attempt }] : [];
    }),
    ...track.backOffs
      .filter(({ waiting, until, endedAt, since }) => waiting && (endedAt ?? until) > since)
      .map((entry) => ({ item: backOffItem(entry, `${pod.uid}:${track.name}`) })),
  ];
  const ordered = segments.toSorted((a, b) => a.item.start - b.item.start);
  const nested = activities.filter(({ row }) => row === 1);
  const items = [...fillRow(track, pod, ordered), ...nested].toSorted((a, b) => a.start - b.start || a.row - b.row);
  const restarts = track.type === 'sandbox' ? 0 : Math.max(0, track.attempts.at(-1)?.attempt ?? 0);
  const isSandbox = track.type === 'sandbox';
  return {
    id: `${pod.uid}/${track.name}`,
    kind: track.type,
    label: isSandbox ? 'Sandbox' : track.name,
    note: isSandbox ? track.attempts.at(-1)?.ip : restarts > 0 ? `↻ ${restarts}` : undefined,
    group,
    rows: nested.length > 0 ? 2 : 1,
    items,
    markers: exitMarkers(track),
    settled: 0,
  };
}
