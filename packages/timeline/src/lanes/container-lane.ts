/**
 * The lane of one container, or of the sandboxes: pulling, creating, running, exited, and every wait in between as something to see. The
 * upper row never has a hole while the pod lives; hooks and stopping, which happen while it runs, stand in the row below.
 */
import type { ActivityRecord, AttemptRecord, BackOffRecord, ContainerTrack, PodTrack, SpanRecord } from '@podscope/trace';
import { formatSeconds } from '../base/format.ts';
import type { Item, ItemState, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words.ts';
import { isInjected } from './injected.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

interface Segment {
  readonly item: Item;
  /** The attempt that ends with it. */
  readonly attempt?: AttemptRecord | undefined;
}

const activityLooks: Readonly<Record<ActivityRecord['kind'], { readonly state: ItemState; readonly row: 0 | 1 }>> = {
  pull: { state: 'pulling', row: 0 },
  create: { state: 'creating', row: 0 },
  start: { state: 'creating', row: 0 },
  postStart: { state: 'hook', row: 1 },
  preStop: { state: 'hook', row: 1 },
  stop: { state: 'stopping', row: 1 },
  remove: { state: 'stopping', row: 1 },
};

const percent = (progress: number | undefined): string | undefined => (progress === undefined || progress >= 1 ? undefined : `${Math.floor(progress * 100)} %`);

function activityItem(activity: ActivityRecord, type: ContainerTrack['type'], spanOf: SpanOf, words: TimelineWords): Item {
  const { state, row } = activityLooks[activity.kind];
  const label = words.activities[activity.kind];
  const span = spanOf(activity.span);
  const error = activity.outcome === 'error' ? span?.error : undefined;
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
    injected: span && isInjected(span, spanOf),
  };
}

const badExit = ({ exitCode, reason }: AttemptRecord): boolean =>
  (exitCode ?? 0) !== 0 || (reason !== undefined && reason !== 'Completed' && reason !== 'Exited');

/** `exit 137 · OOMKilled` */
const exitText = ({ exitCode, reason }: AttemptRecord, { container }: TimelineWords): string =>
  [exitCode === undefined ? container.exited : container.exit(exitCode), reason && reason !== 'Error' && reason !== 'Completed' ? reason : undefined]
    .filter(Boolean)
    .join(' · ');

function attemptItem(attempt: AttemptRecord, type: ContainerTrack['type'], words: TimelineWords): Item | undefined {
  if (attempt.startedAt === undefined) return undefined;
  const detail = type === 'sandbox' ? attempt.ip : undefined;
  const name = type === 'sandbox' ? words.container.ready : words.container.running;
  return {
    id: `attempt:${attempt.id}`,
    start: attempt.startedAt,
    end: attempt.finishedAt ?? attempt.removedAt,
    row: 0,
    state: 'running',
    label: attempt.attempt > 0 ? `${name}  #${attempt.attempt + 1}` : name,
    detail,
    failed: attempt.finishedAt !== undefined && badExit(attempt),
    error: attempt.finishedAt !== undefined && badExit(attempt) ? [exitText(attempt, words), attempt.message].filter(Boolean).join(': ') : undefined,
  };
}

/** The kubelet's curve, of container starts and of image pulls alike: 10 s, doubled up to 5 min, forgotten after 10 min. */
const curve = { initial: 10, cap: 300, resetAfter: 600 };

function backOffItem(entry: BackOffRecord, name: string, { container }: TimelineWords): Item {
  return {
    id: `backoff:${name}:${entry.kind}:${entry.since}`,
    start: entry.since,
    end: Math.max(entry.since, Math.min(entry.endedAt ?? entry.until, entry.until)),
    row: 0,
    state: 'backoff',
    label: container.backOff(formatSeconds(entry.seconds)),
    detail: entry.kind === 'image' ? container.imagePull : undefined,
    countdownTo: entry.endedAt === undefined ? entry.until : undefined,
    curve: { seconds: entry.seconds, ...curve },
  };
}

/** Why the container does not run at `time`, as the pod status said. */
function waitAt(track: ContainerTrack, time: number) {
  const told = track.waits.findLast((wait) => wait.time <= time) ?? track.waits[0];
  return told?.reason === undefined ? undefined : told;
}

/** What stands between two segments: the exited container, or a wait with its reason. */
function between(track: ContainerTrack, before: Segment | undefined, start: number, end: number | undefined, uid: string, words: TimelineWords): Item[] {
  const { container } = words;
  const attempt = before?.attempt;
  if (attempt) {
    const isGone = attempt.removedAt !== undefined && (end === undefined || attempt.removedAt < end);
    const exited: Item = {
      id: `exited:${attempt.id}`,
      start,
      end: isGone ? Math.max(start, attempt.removedAt ?? start) : end,
      row: 0,
      state: badExit(attempt) ? 'error' : 'succeeded',
      label: track.type === 'sandbox' ? container.stopped : exitText(attempt, words),
      detail: attempt.message,
    };
    if (!isGone) return [exited];
    // Nothing is left of it: what follows is a wait only when something is still to come.
    return end === undefined ? [exited] : [exited, ...between(track, undefined, exited.end ?? start, end, uid, words)];
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
      label: isOver ? container.nextSync : (wait?.reason ?? container.waiting),
      detail: before?.item.state === 'backoff' ? container.backOffOver : wait?.message,
    },
  ];
}

/** Between two calls of one start lie a few milliseconds of the kubelet's own work: not a wait. */
const ownWork = 20;

const isWait = (before: Segment | undefined, gap: number): boolean => gap > (before?.item.span === undefined ? 0 : ownWork);

/** Puts segments one after the other and fills what is between them. */
function fillRow(track: ContainerTrack, pod: PodTrack, segments: readonly Segment[], words: TimelineWords): Item[] {
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
      items.push(...between(track, before, cursor, segment.item.start, pod.uid, words));
    }
    items.push(segment.item);
    before = segment;
    if (segment.item.end === undefined) return items;
    cursor = segment.item.end;
  }
  if (pod.deletedAt !== undefined && cursor >= pod.deletedAt) return items;
  const isExpected = !isLate || before !== undefined;
  if (isExpected && (before?.attempt || (track.type !== 'sandbox' && pod.deletionRequestedAt === undefined))) {
    items.push(...between(track, before, cursor, pod.deletedAt, pod.uid, words));
  }
  return items;
}

const exitMarkers = (track: ContainerTrack, words: TimelineWords): Marker[] =>
  track.attempts.flatMap((attempt) =>
    attempt.finishedAt === undefined || attempt.startedAt === undefined || track.type === 'sandbox'
      ? []
      : [
          {
            id: `exit:${attempt.id}`,
            time: attempt.finishedAt,
            kind: badExit(attempt) ? 'failure' : 'exit',
            badge: attempt.exitCode === undefined ? undefined : String(attempt.exitCode),
            label: exitText(attempt, words),
            detail: attempt.message,
          } satisfies Marker,
        ],
  );

/** Makes the lane of a container's track. */
export function containerLane(track: ContainerTrack, pod: PodTrack, spanOf: SpanOf, group: string | undefined, words: TimelineWords): Lane {
  const activities = track.activities.map((activity) => activityItem(activity, track.type, spanOf, words));
  const segments: Segment[] = [
    ...activities.filter(({ row }) => row === 0).map((item) => ({ item })),
    ...track.attempts.flatMap((attempt) => {
      const item = attemptItem(attempt, track.type, words);
      return item ? [{ item, attempt }] : [];
    }),
    ...track.backOffs
      .filter(({ waiting, until, endedAt, since }) => waiting && (endedAt ?? until) > since)
      .map((entry) => ({ item: backOffItem(entry, `${pod.uid}:${track.name}`, words) })),
  ];
  const ordered = segments.toSorted((a, b) => a.item.start - b.item.start);
  const nested = activities.filter(({ row }) => row === 1);
  const items = [...fillRow(track, pod, ordered, words), ...nested].toSorted((a, b) => a.start - b.start || a.row - b.row);
  const restarts = track.type === 'sandbox' ? 0 : Math.max(0, track.attempts.at(-1)?.attempt ?? 0);
  const isSandbox = track.type === 'sandbox';
  return {
    id: `${pod.uid}/${track.name}`,
    kind: track.type,
    label: isSandbox ? words.lanes.sandbox : track.name,
    note: isSandbox ? track.attempts.at(-1)?.ip : restarts > 0 ? `↻ ${restarts}` : undefined,
    group,
    rows: nested.length > 0 ? 2 : 1,
    items,
    markers: exitMarkers(track, words),
    settled: 0,
  };
}
