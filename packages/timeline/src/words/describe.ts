/** Describes items and markers in words, for tooltips, screen readers and the table view. */
import {
  formatClock,
  formatCountdown,
  formatDuration,
  formatRelative,
  formatSeconds,
  type TimeZoneName,
} from '../base/format.ts';
import { curveSteps, endOf, type Item, isTrouble, type Lane, type Marker, type TimelineModel } from '../model.ts';
import { englishWords, type TimelineWords } from './words.ts';

export interface Description {
  readonly title: string;
  /** Name and value pairs, in display order. */
  readonly rows: readonly (readonly [string, string])[];
}

/** The current time, the time zone and the texts for the description. */
interface DescribeOptions {
  readonly now: number;
  readonly zone?: TimeZoneName;
  readonly words?: TimelineWords;
}

function curveRows({ curve }: Item, { backOff, facts }: TimelineWords): (readonly [string, string])[] {
  if (!curve) return [];
  const steps = curveSteps(curve).map((seconds) =>
    seconds === curve.seconds ? `[${formatSeconds(seconds)}]` : formatSeconds(seconds),
  );
  return [
    [backOff.curve, steps.join(' → ')],
    [backOff.cap, formatSeconds(curve.cap)],
    [backOff.reset, backOff.rule(formatSeconds(curve.resetAfter))],
  ].map(([name = facts.detail, value = '']) => [name, value] as const);
}

function sourceRows(fact: Item | Marker, words: TimelineWords): (readonly [string, string])[] {
  const source = words.sourceOf(fact);
  return source === undefined ? [] : [[words.facts.source, source]];
}

/** Returns the tooltip facts of an item. */
export function describeItem(
  item: Item,
  lane: Lane,
  { origin }: TimelineModel,
  { now, zone = 'local', words = englishWords }: DescribeOptions,
): Description {
  const { facts, states } = words;
  const end = endOf(item, now);
  const length = formatDuration(end - item.start);
  const rows: (readonly [string, string])[] = [
    [facts.lane, lane.label],
    [
      facts.state,
      [states[item.state], item.failed && words.failed, item.injected && words.injected].filter(Boolean).join(', '),
    ],
    [facts.start, `${formatClock(item.start, 1, zone)}  (+${formatRelative(item.start - origin, 1)})`],
    [facts.duration, item.end === undefined ? words.goingOn(length) : length],
  ];
  if (item.progress !== undefined && item.progress < 1)
    rows.push([facts.progress, `${Math.floor(item.progress * 100)} %`]);
  if (item.countdownTo !== undefined && item.countdownTo > now)
    rows.push([facts.left, formatCountdown(item.countdownTo - now)]);
  rows.push(...curveRows(item, words));
  if (item.detail) rows.push([facts.detail, item.detail]);
  if (item.error) rows.push([facts.error, item.error]);
  rows.push(...sourceRows(item, words));
  return { title: item.label, rows };
}

/** Returns the duration of the activity that a marker shows, in ms; undefined for an instant. */
const lengthOf = ({ from, time, until }: Marker, now: number): number | undefined =>
  from === undefined && until === undefined ? undefined : Math.min(until ?? time, Math.max(now, time)) - (from ?? time);

export function describeMarker(
  marker: Marker,
  lane: Lane,
  { origin }: TimelineModel,
  { now, zone = 'local', words = englishWords }: DescribeOptions,
): Description {
  const { facts } = words;
  const rows: (readonly [string, string])[] = [
    [facts.lane, lane.label],
    [facts.time, `${formatClock(marker.time, 1, zone)}  (+${formatRelative(marker.time - origin, 1)})`],
  ];
  const length = lengthOf(marker, now);
  if (length !== undefined) rows.push([facts.duration, formatDuration(length)]);
  if (marker.detail) rows.push([facts.detail, marker.detail]);
  rows.push(...sourceRows(marker, words));
  return { title: marker.label, rows };
}

/** Returns a sentence about an item for screen readers. */
export function itemText(item: Item, lane: Lane, now: number, words = englishWords): string {
  const duration = formatDuration(endOf(item, now) - item.start);
  const state = words.states[item.state];
  const parts = [
    lane.label,
    item.label === state ? item.label : `${item.label}, ${state}`,
    item.end === undefined ? words.soFar(duration) : duration,
  ];
  if (item.failed) parts.push(words.failed);
  if (item.injected) parts.push(words.injected);
  if (item.countdownTo !== undefined && item.countdownTo > now)
    parts.push(words.left(formatCountdown(item.countdownTo - now)));
  if (item.error) parts.push(item.error);
  else if (item.detail) parts.push(item.detail);
  const source = words.sourceOf(item);
  if (source) parts.push(source);
  return parts.join(', ');
}

/** Returns a sentence about a marker for screen readers. */
export const markerText = (marker: Marker, lane: Lane, words = englishWords): string =>
  [lane.label, marker.label, marker.detail, words.sourceOf(marker)].filter(Boolean).join(', ');

/** One row of the table view. */
export interface TableRow {
  readonly id: string;
  readonly lane: string;
  readonly group: string | undefined;
  /** Nesting depth within the lane, from 0. */
  readonly depth: number;
  readonly label: string;
  readonly state: string;
  /** The source of a fact about a genuine kubelet; undefined for Podscope's own kubelet. */
  readonly source: string | undefined;
  readonly failed: boolean;
  readonly start: number;
  /** Undefined for open items and for instants. */
  readonly end: number | undefined;
  /** The duration in milliseconds; undefined for instants. */
  readonly duration: number | undefined;
  readonly detail: string;
}

/** A row, with the numbers that determine its order among rows with the same start: first the lane, then the span. */
interface Placed {
  readonly row: TableRow;
  readonly lane: number;
  readonly span: number;
}

/** Returns the table view: all items and markers, sorted by start. */
export function tableRows(model: TimelineModel, now: number, words = englishWords): readonly TableRow[] {
  const rows = model.lanes.flatMap((lane, at) => [
    ...lane.items.map(
      (item): Placed => ({
        lane: at,
        span: item.span ?? 0,
        row: {
          id: item.id,
          lane: lane.label,
          group: lane.group,
          depth: item.row,
          label: item.label,
          state: [words.states[item.state], item.injected && words.injected].filter(Boolean).join(', '),
          source: words.sourceOf(item),
          failed: item.failed === true,
          start: item.start,
          end: item.end,
          duration: endOf(item, now) - item.start,
          detail: item.error ?? item.detail ?? '',
        },
      }),
    ),
    ...lane.markers.map(
      (marker): Placed => ({
        lane: at,
        span: marker.span ?? 0,
        row: {
          id: marker.id,
          lane: lane.label,
          group: lane.group,
          depth: marker.row ?? 0,
          label: marker.label,
          state: words.markers[marker.kind],
          source: words.sourceOf(marker),
          failed: isTrouble(marker),
          start: marker.from ?? marker.time,
          end: marker.from === undefined ? marker.until : marker.time,
          duration: lengthOf(marker, now),
          detail: marker.detail ?? '',
        },
      }),
    ),
  ]);
  // Spans are numbered in the order of their starts, so of two spans with the same start the parent comes first.
  return rows.toSorted((a, b) => a.row.start - b.row.start || a.lane - b.lane || a.span - b.span).map(({ row }) => row);
}
