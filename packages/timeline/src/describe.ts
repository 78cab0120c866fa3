/** Items and markers in words: for tooltips, for screen readers and for the table that says the same as the picture. */
import { formatClock, formatCountdown, formatDuration, formatRelative, type TimeZoneName } from './base/format.ts';
import { endOf, type Item, type ItemState, type Lane, type Marker, type TimelineModel } from './model.ts';

const stateNames: Readonly<Record<ItemState, string>> = {
  pending: 'pending',
  pulling: 'pulling',
  creating: 'creating',
  running: 'running',
  stopping: 'stopping',
  succeeded: 'completed',
  error: 'failed',
  backoff: 'back-off',
  waiting: 'waiting',
  worker: 'pod worker',
  sync: 'sync',
  step: 'step',
  call: 'call',
  hook: 'hook',
  paused: 'paused',
};

export interface Description {
  readonly title: string;
  /** Name and value, in the order to show them. */
  readonly rows: readonly (readonly [string, string])[];
}

/** Numbers of an item at `now`. */
export function describeItem(item: Item, lane: Lane, model: TimelineModel, now: number, zone: TimeZoneName = 'local'): Description {
  const end = endOf(item, now);
  const rows: (readonly [string, string])[] = [
    ['lane', lane.label],
    ['state', item.failed ? `${stateNames[item.state]}, failed` : stateNames[item.state]],
    ['start', `${formatClock(item.start, 1, zone)}  (+${formatRelative(item.start - model.origin, 1)})`],
    ['duration', `${formatDuration(end - item.start)}${item.end === undefined ? ', going on' : ''}`],
  ];
  if (item.progress !== undefined && item.progress < 1) rows.push(['progress', `${Math.floor(item.progress * 100)} %`]);
  if (item.countdownTo !== undefined && item.countdownTo > now) rows.push(['left', formatCountdown(item.countdownTo - now)]);
  if (item.detail) rows.push(['detail', item.detail]);
  if (item.error) rows.push(['error', item.error]);
  return { title: item.label, rows };
}

export function describeMarker(marker: Marker, lane: Lane, model: TimelineModel, zone: TimeZoneName = 'local'): Description {
  const rows: (readonly [string, string])[] = [
    ['lane', lane.label],
    ['time', `${formatClock(marker.time, 1, zone)}  (+${formatRelative(marker.time - model.origin, 1)})`],
  ];
  if (marker.detail) rows.push(['detail', marker.detail]);
  return { title: marker.label, rows };
}

/** One sentence for a screen reader. */
export function sayItem(item: Item, lane: Lane, now: number): string {
  const duration = formatDuration(endOf(item, now) - item.start);
  const parts = [
    lane.label,
    item.label === stateNames[item.state] ? item.label : `${item.label}, ${stateNames[item.state]}`,
    item.end === undefined ? `for ${duration} so far` : duration,
  ];
  if (item.failed) parts.push('failed');
  if (item.error) parts.push(item.error);
  else if (item.detail) parts.push(item.detail);
  return parts.join(', ');
}

export const sayMarker = (marker: Marker, lane: Lane): string => [lane.label, marker.label, marker.detail].filter(Boolean).join(', ');

/** One line of the table twin. */
export interface TableRow {
  readonly id: string;
  readonly lane: string;
  readonly group: string | undefined;
  /** How deep it is nested in its lane, from 0. */
  readonly depth: number;
  readonly label: string;
  readonly state: string;
  readonly failed: boolean;
  readonly start: number;
  /** Undefined while open, and for instants. */
  readonly end: number | undefined;
  /** Milliseconds; undefined for instants. */
  readonly duration: number | undefined;
  readonly detail: string;
}

/** Everything the picture shows, as rows by start. */
export function tableRows(model: TimelineModel, now: number): readonly TableRow[] {
  const rows = model.lanes.flatMap((lane) => [
    ...lane.items.map(
      (item): TableRow => ({
        id: item.id,
        lane: lane.label,
        group: lane.group,
        depth: item.row,
        label: item.label,
        state: stateNames[item.state],
        failed: item.failed === true,
        start: item.start,
        end: item.end,
        duration: endOf(item, now) - item.start,
        detail: item.error ?? item.detail ?? '',
      }),
    ),
    ...lane.markers.map(
      (marker): TableRow => ({
        id: marker.id,
        lane: lane.label,
        group: lane.group,
        depth: 0,
        label: marker.label,
        state: marker.kind,
        failed: marker.kind === 'failure' || marker.kind === 'warning',
        start: marker.time,
        end: undefined,
        duration: undefined,
        detail: marker.detail ?? '',
      }),
    ),
  ]);
  return rows.toSorted((a, b) => a.start - b.start);
}
