/**
 * Builds the lane of a container or of a pod's sandboxes: pulling, creating, running, exited, and each wait in between.
 * The upper row has no gap while the pod exists. Hooks and stopping overlap with running, so they are in the row below.
 */
import {
  type ActivityRecord,
  type AttemptRecord,
  type BackOffRecord,
  type ContainerTrack,
  type PodTrack,
  type SpanRecord,
  sourceOf,
} from '@podscope/trace';
import { formatSeconds } from '../base/format.ts';
import { firstIndex } from '../base/search.ts';
import { itemId } from '../items/item-id.ts';
import type { Item, ItemState, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';
import { isInjected } from './injected.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

interface Segment {
  readonly item: Item;
  /** The attempt that ends together with the segment. */
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

const percent = (progress: number | undefined): string | undefined =>
  progress === undefined || progress >= 1 ? undefined : `${Math.floor(progress * 100)} %`;

function activityItem(
  activity: ActivityRecord,
  type: ContainerTrack['type'],
  spanOf: SpanOf,
  words: TimelineWords,
): Item {
  const { state, row } = activityLooks[activity.kind];
  const label = words.activities[activity.kind];
  const span = spanOf(activity.span);
  const error = activity.outcome === 'error' ? span?.error : undefined;
  return {
    id: itemId({ kind: 'span', span: activity.span }),
    start: activity.start,
    end: activity.end,
    row,
    state,
    label: error ? `${label}: ${error.reason}` : label,
    detail:
      activity.kind === 'pull'
        ? [percent(activity.progress), activity.detail].filter(Boolean).join(' · ')
        : type === 'sandbox' && activity.kind === 'create'
          ? words.attempt(activity.detail)
          : undefined,
    progress: activity.kind === 'pull' ? activity.progress : undefined,
    failed: activity.outcome === 'error',
    error: error?.message,
    span: activity.span,
    injected: span && isInjected(span, spanOf),
    ...(span && sourceOf(span)),
  };
}

const badExit = ({ exitCode, reason }: AttemptRecord): boolean =>
  (exitCode ?? 0) !== 0 || (reason !== undefined && reason !== 'Completed' && reason !== 'Exited');

/** Returns a text such as `exit 137 · OOMKilled`. */
const exitText = ({ exitCode, reason }: AttemptRecord, { container }: TimelineWords): string =>
  [
    exitCode === undefined ? container.exited : container.exit(exitCode),
    reason && reason !== 'Error' && reason !== 'Completed' ? reason : undefined,
  ]
    .filter(Boolean)
    .join(' · ');

function attemptItem(attempt: AttemptRecord, type: ContainerTrack['type'], words: TimelineWords): Item | undefined {
  if (attempt.startedAt === undefined) return undefined;
  const detail = type === 'sandbox' ? attempt.ip : undefined;
  const name = type === 'sandbox' ? words.container.ready : words.container.running;
  return {
    id: itemId({ kind: 'attempt', attempt: attempt.id }),
    start: attempt.startedAt,
    end: attempt.finishedAt ?? attempt.removedAt,
    row: 0,
    state: 'running',
    label: attempt.attempt > 0 ? `${name}  #${attempt.attempt}` : name,
    detail,
    failed: attempt.finishedAt !== undefined && badExit(attempt),
    error:
      attempt.finishedAt !== undefined && badExit(attempt)
        ? [exitText(attempt, words), attempt.message].filter(Boolean).join(': ')
        : undefined,
    ...sourceOf(attempt),
  };
}

/** The kubelet's back-off for container starts and image pulls: 10 s, doubled up to 5 min, reset after 10 min. */
const curve = { initial: 10, cap: 300, resetAfter: 600 };

/**
 * Returns the end of a back-off, if it is known. When a pod is being deleted, its back-offs end, because no container
 * is started again.
 */
const backOffEnd = ({ endedAt }: BackOffRecord, { deletionRequestedAt, deletedAt }: PodTrack): number | undefined =>
  endedAt ?? deletionRequestedAt ?? deletedAt;

function backOffItem(entry: BackOffRecord, pod: PodTrack, name: string, { container }: TimelineWords): Item {
  const over = backOffEnd(entry, pod);
  return {
    id: itemId({ kind: 'backoff', uid: pod.uid, container: name, of: entry.kind, since: entry.since }),
    start: entry.since,
    end: Math.max(entry.since, Math.min(over ?? entry.until, entry.until)),
    row: 0,
    state: 'backoff',
    label: container.backOff(formatSeconds(entry.seconds)),
    detail: entry.kind === 'image' ? container.imagePull : undefined,
    countdownTo: over === undefined ? entry.until : undefined,
    curve: { seconds: entry.seconds, ...curve },
    ...sourceOf(entry),
  };
}

/** Returns why the container isn't running at `time`, from the pod's status. */
function waitAt(track: ContainerTrack, time: number) {
  const { waits } = track;
  const record = waits[firstIndex(waits.length, (index) => (waits[index]?.time ?? 0) > time) - 1] ?? waits[0];
  return record?.reason === undefined ? undefined : record;
}

/** Returns the items that fill the gap between two segments: the exited container, or a wait with its reason. */
function between(
  track: ContainerTrack,
  before: Segment | undefined,
  start: number,
  end: number | undefined,
  uid: string,
  words: TimelineWords,
): Item[] {
  const { container } = words;
  const attempt = before?.attempt;
  if (attempt) {
    const isGone = attempt.removedAt !== undefined && (end === undefined || attempt.removedAt < end);
    const exited: Item = {
      id: itemId({ kind: 'exited', attempt: attempt.id }),
      start,
      end: isGone ? Math.max(start, attempt.removedAt ?? start) : end,
      row: 0,
      state: badExit(attempt) ? 'error' : 'succeeded',
      label: track.type === 'sandbox' ? container.stopped : exitText(attempt, words),
      detail: attempt.message,
      ...attempt.finishedFrom,
    };
    if (!isGone) return [exited];
    // After the exited container, the rest of the gap is a wait only if another segment follows.
    return end === undefined ? [exited] : [exited, ...between(track, undefined, exited.end ?? start, end, uid, words)];
  }
  const wait = waitAt(track, start);
  const isOver = before?.item.state === 'backoff' || (track.type === 'sandbox' && before?.item.failed === true);
  return [
    {
      id: itemId({ kind: 'wait', uid, container: track.name, start }),
      start,
      end,
      row: 0,
      state: 'waiting',
      label: isOver ? container.nextSync : (wait?.reason ?? container.waiting),
      detail: before?.item.state === 'backoff' ? container.backOffOver : wait?.message,
    },
  ];
}

/**
 * Longest gap, in ms, between two calls of a container start that counts as the kubelet's own work. A longer gap is
 * drawn as a wait.
 */
const ownWork = 20;

const isWait = (before: Segment | undefined, gap: number): boolean =>
  gap > (before?.item.span === undefined ? 0 : ownWork);

/** Returns when the pod ended. After that no container of it is started, so none waits for its start. */
const podEnd = ({ phases, deletedAt }: PodTrack): number | undefined =>
  phases.find(({ phase }) => phase === 'Failed' || phase === 'Succeeded')?.time ?? deletedAt;

/** The place from which a row continues: after a segment that has ended, if no earlier item is open. */
interface Resumption {
  readonly before: Segment;
  readonly cursor: number;
}

interface FilledRow {
  readonly items: readonly Item[];
  /** For each segment, how many items precede the gap before it. */
  readonly starts: readonly number[];
}

/** Places segments one after another and fills the gaps between them. */
function fillRow(
  track: ContainerTrack,
  pod: PodTrack,
  segments: readonly Segment[],
  from: Resumption | undefined,
  words: TimelineWords,
): FilledRow {
  const items: Item[] = [];
  const starts: number[] = [];
  const isLate = track.type === 'ephemeral' || track.type === 'sandbox';
  let cursor = from?.cursor ?? (isLate ? (segments[0]?.item.start ?? pod.lastTime) : pod.firstTime);
  let before = from?.before;
  for (const segment of segments) {
    const last = items.at(-1);
    starts.push(items.length);
    if (last && before && last.end !== undefined && last.end > segment.item.start) {
      // The times of a segment come from CRI calls or from the runtime, so two segments can overlap slightly. The start
      // of the later segment is accurate, so the earlier segment ends there.
      items[items.length - 1] = { ...last, end: Math.max(last.start, segment.item.start) };
    } else if (isWait(before, segment.item.start - cursor)) {
      items.push(...between(track, before, cursor, segment.item.start, pod.uid, words));
    }
    items.push(segment.item);
    before = segment;
    if (segment.item.end === undefined) return { items, starts };
    cursor = segment.item.end;
  }
  if (pod.deletedAt !== undefined && cursor >= pod.deletedAt) return { items, starts };
  const isExpected = !isLate || before !== undefined;
  if (isExpected && before?.attempt) items.push(...between(track, before, cursor, pod.deletedAt, pod.uid, words));
  else if (isExpected && track.type !== 'sandbox' && pod.deletionRequestedAt === undefined) {
    const end = podEnd(pod);
    if (end === undefined || end > cursor) items.push(...between(track, before, cursor, end, pod.uid, words));
  }
  return { items, starts };
}

const exitMarkers = (
  attempts: readonly AttemptRecord[],
  type: ContainerTrack['type'],
  words: TimelineWords,
): Marker[] =>
  attempts.flatMap((attempt) =>
    attempt.finishedAt === undefined || attempt.startedAt === undefined || type === 'sandbox'
      ? []
      : [
          {
            id: itemId({ kind: 'exit', attempt: attempt.id }),
            time: attempt.finishedAt,
            kind: badExit(attempt) ? 'failure' : 'exit',
            badge: attempt.exitCode === undefined ? undefined : String(attempt.exitCode),
            label: exitText(attempt, words),
            detail: attempt.message,
            ...attempt.finishedFrom,
          } satisfies Marker,
        ],
  );

/** Segments are settled in blocks of this size. A settled segment never changes again. */
const settledAtOnce = 64;

/** How many of the newest segments are never settled, because the runtime may report an attempt late. */
const unsettled = 16;

/**
 * Returns how many records at the beginning of the list are settled, or undefined if a settled record follows one that
 * isn't.
 * @param isSettled returns undefined for a record that isn't drawn
 */
function settledCount<Thing>(
  things: readonly Thing[],
  isSettled: (thing: Thing) => boolean | undefined,
): number | undefined {
  let count = 0;
  let isBroken = false;
  for (const [at, thing] of things.entries()) {
    const settled = isSettled(thing);
    if (settled === false) isBroken = true;
    else if (settled && isBroken) return undefined;
    else if (settled) count = at + 1;
  }
  return count;
}

type LaneRecord = ActivityRecord | AttemptRecord | BackOffRecord;

/** The part of a track whose records can still change, and the items that show these records. */
interface Read {
  readonly activities: readonly ActivityRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly backOffs: readonly BackOffRecord[];
  /** The segments in the order of their start. */
  readonly segments: readonly Segment[];
  /** The items of the second row. */
  readonly nested: readonly Item[];
  readonly itemOf: ReadonlyMap<LaneRecord, Item>;
}

/** The end of the settled part, as the number of records of each kind that belong to it. */
interface Cut extends Resumption {
  readonly segments: number;
  readonly items: number;
  readonly activities: number;
  readonly attempts: number;
  readonly backOffs: number;
}

/** Builds the lane of a container for each version of the pod. Items that are settled are built only once. */
export class ContainerLane {
  #type: ContainerTrack['type'] | undefined;
  #items: Item[] = [];
  #settledItems = 0;
  /** The markers of settled attempts. */
  #markers: Marker[] = [];
  #hasNested = false;
  /** The number of settled records. */
  #from = { segments: 0, activities: 0, attempts: 0, backOffs: 0 };
  #resumption: Resumption | undefined;

  lane(track: ContainerTrack, pod: PodTrack, spanOf: SpanOf, group: string | undefined, words: TimelineWords): Lane {
    if (track.type !== this.#type) this.#begin(track.type);
    const read = this.#read(track, pod, spanOf, words);
    const row = fillRow(track, pod, read.segments, this.#resumption, words);
    const cut = this.#cutOf(read, row);
    this.#items.length = this.#settledItems;
    if (cut) {
      this.#add([...row.items.slice(0, cut.items), ...read.nested.filter(({ start }) => start < cut.cursor)]);
      this.#settledItems = this.#items.length;
      this.#markers.push(...exitMarkers(read.attempts.slice(0, cut.attempts), track.type, words));
      const { segments, activities, attempts, backOffs } = this.#from;
      this.#from = {
        segments: segments + cut.segments,
        activities: activities + cut.activities,
        attempts: attempts + cut.attempts,
        backOffs: backOffs + cut.backOffs,
      };
      this.#resumption = cut;
    }
    this.#add([...row.items.slice(cut?.items ?? 0), ...read.nested.filter(({ start }) => !cut || start >= cut.cursor)]);
    this.#hasNested ||= read.nested.length > 0;
    const isSandbox = track.type === 'sandbox';
    const restarts = isSandbox ? 0 : Math.max(0, track.attempts.at(-1)?.attempt ?? 0);
    return {
      id: `${pod.uid}/${track.name}`,
      kind: track.type,
      label: isSandbox ? words.lanes.sandbox : track.name,
      note: isSandbox ? track.attempts.at(-1)?.ip : restarts > 0 ? `↻ ${restarts}` : undefined,
      group,
      rows: this.#hasNested ? 2 : 1,
      items: this.#items,
      markers: [...this.#markers, ...exitMarkers(track.attempts.slice(this.#from.attempts), track.type, words)],
      settled: this.#settledItems,
    };
  }

  /** Sets the type of the container. It may change, because it is unknown until the pod's spec is known. */
  #begin(type: ContainerTrack['type']): void {
    this.#type = type;
    this.#items = [];
    this.#settledItems = 0;
    this.#markers = [];
    this.#from = { segments: 0, activities: 0, attempts: 0, backOffs: 0 };
    this.#resumption = undefined;
  }

  #add(items: readonly Item[]): void {
    for (const item of items.toSorted((a, b) => a.start - b.start || a.row - b.row)) this.#items.push(item);
  }

  #read(track: ContainerTrack, pod: PodTrack, spanOf: SpanOf, words: TimelineWords): Read {
    const activities = track.activities.slice(this.#from.activities);
    const attempts = track.attempts.slice(this.#from.attempts);
    const backOffs = track.backOffs.slice(this.#from.backOffs);
    const itemOf = new Map<LaneRecord, Item>();
    const segments: Segment[] = [];
    for (const activity of activities) {
      const item = activityItem(activity, track.type, spanOf, words);
      itemOf.set(activity, item);
      if (item.row === 0) segments.push({ item });
    }
    for (const attempt of attempts) {
      const item = attemptItem(attempt, track.type, words);
      if (!item) continue;
      itemOf.set(attempt, item);
      segments.push({ item, attempt });
    }
    for (const entry of backOffs) {
      if (!entry.waiting || (backOffEnd(entry, pod) ?? entry.until) <= entry.since) continue;
      const item = backOffItem(entry, pod, track.name, words);
      itemOf.set(entry, item);
      segments.push({ item });
    }
    const nested = activities.flatMap((activity) => itemOf.get(activity) ?? []).filter(({ row }) => row === 1);
    return {
      activities,
      attempts,
      backOffs,
      segments: segments.toSorted((a, b) => a.item.start - b.item.start),
      nested,
      itemOf,
    };
  }

  /**
   * Returns the new end of the settled part; undefined if it doesn't change. The result doesn't depend on how often the
   * lane was built before.
   */
  #cutOf(read: Read, row: FilledRow): Cut | undefined {
    const last = this.#from.segments + read.segments.length - unsettled;
    for (let at = Math.floor(last / settledAtOnce) * settledAtOnce; at > this.#from.segments; at -= settledAtOnce) {
      const cut = cutAt(at - this.#from.segments, read, row);
      if (cut) return cut;
    }
    return undefined;
  }
}

/**
 * Returns a cut before segment `at`. Returns undefined if an item is open at this segment, or if a list contains an
 * older record after it.
 */
function cutAt(
  at: number,
  { segments, nested, activities, attempts, backOffs, itemOf }: Read,
  { starts }: FilledRow,
): Cut | undefined {
  const before = segments[at - 1];
  const cursor = before?.item.end;
  const items = starts[at];
  if (!before || cursor === undefined || items === undefined || (segments[at]?.item.start ?? 0) < cursor)
    return undefined;
  if (nested.some(({ start, end }) => start < cursor && end === undefined)) return undefined;
  const settled = new Set(segments.slice(0, at).map(({ item }) => item));
  for (const item of nested) if (item.start < cursor) settled.add(item);
  const isSettled = (record: LaneRecord): boolean | undefined => {
    const item = itemOf.get(record);
    return item && settled.has(item);
  };
  const counts = {
    activities: settledCount(activities, isSettled),
    attempts: settledCount(attempts, isSettled),
    backOffs: settledCount(backOffs, isSettled),
  };
  if (counts.activities === undefined || counts.attempts === undefined || counts.backOffs === undefined)
    return undefined;
  return {
    before,
    cursor,
    items,
    segments: at,
    activities: counts.activities,
    attempts: counts.attempts,
    backOffs: counts.backOffs,
  };
}
