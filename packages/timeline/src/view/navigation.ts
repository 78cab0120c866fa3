/** Moves the selection between items and lanes, for the keyboard and the search. */
import { firstIndex } from '../base/search.ts';
import { endOf, hasOwnMarkers, type Item, type Lane, type Marker, type TimelineModel } from '../model.ts';
import type { Viewport } from '../scale/viewport.ts';

/** An item or a marker with its lane. */
export interface Place {
  readonly lane: Lane;
  readonly item?: Item | undefined;
  readonly marker?: Marker | undefined;
}

export const idOf = ({ item, marker }: Place): string | undefined => item?.id ?? marker?.id;
export const startOf = ({ item, marker }: Place): number => item?.start ?? marker?.time ?? 0;

/** Returns the item or marker with that id. */
export function findPlace(model: TimelineModel, id: string): Place | undefined {
  for (const lane of model.lanes) {
    const item = lane.items.find((candidate) => candidate.id === id);
    if (item) return { lane, item };
    const marker = lane.markers.find((candidate) => candidate.id === id);
    if (marker) return { lane, marker };
  }
  return undefined;
}

/** Returns the same item or marker in another version of the model. The search is fast if its start hasn't changed. */
export function renewPlace(model: TimelineModel, place: Place): Place | undefined {
  const lane = model.lanes.find(({ id }) => id === place.lane.id);
  if (!lane) return undefined;
  if (lane === place.lane) return place;
  const { item, marker } = place;
  if (marker) return { lane, marker: lane.markers.find(({ id }) => id === marker.id) ?? marker };
  if (!item) return undefined;
  for (
    let at = firstIndex(lane.items.length, (index) => (lane.items[index]?.start ?? 0) >= item.start);
    lane.items[at]?.start === item.start;
    at++
  ) {
    if (lane.items[at]?.id === item.id) return { lane, item: lane.items[at] };
  }
  return findPlace(model, item.id);
}

/** Returns what the keys select in a lane: its markers if it consists of markers; otherwise its items. */
function thingsOf(lane: Lane, row?: number): readonly Place[] {
  const isOfRow = (thing: { readonly row?: number | undefined }): boolean =>
    row === undefined || (thing.row ?? 0) === row;
  return hasOwnMarkers(lane)
    ? lane.markers.flatMap((marker) => (isOfRow(marker) ? { lane, marker } : []))
    : lane.items.flatMap((item) => (isOfRow(item) ? { lane, item } : []));
}

const rowOf = ({ item, marker }: Place): number => item?.row ?? marker?.row ?? 0;

const textOf = ({ item, marker, lane }: Place): string =>
  [lane.label, item?.label ?? marker?.label, item?.error, item?.detail ?? marker?.detail].join(' ').toLowerCase();

/**
 * Returns the next (`by` 1) or previous (-1) place whose text contains `text`, in the order of time. The search begins
 * after `from` and continues at the other end of the run. It returns `from` only if no other place matches.
 */
export function findText(model: TimelineModel, text: string, from: Place | undefined, by: 1 | -1): Place | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const found = model.lanes
    .flatMap((lane): Place[] => [
      ...lane.items.map((item) => ({ lane, item })),
      ...lane.markers.map((marker) => ({ lane, marker })),
    ])
    .filter((place) => textOf(place).includes(wanted))
    .toSorted((a, b) => startOf(a) - startOf(b));
  const at = from ? found.findIndex((place) => idOf(place) === idOf(from) && place.lane.id === from.lane.id) : -1;
  if (at >= 0) return found[(at + by + found.length) % found.length];
  if (!from) return by > 0 ? found[0] : found.at(-1);
  return (
    (by > 0
      ? found.find((place) => startOf(place) >= startOf(from))
      : found.findLast((place) => startOf(place) <= startOf(from))) ?? found[0]
  );
}

/**
 * Returns the place that the keys select first: the last place in view, in the topmost lane that has a place in view.
 */
export function firstPlace(model: TimelineModel, viewport: Viewport, now: number): Place | undefined {
  for (const lane of model.lanes) {
    const found = thingsOf(lane).findLast(
      (place) =>
        startOf(place) <= viewport.end && (place.item ? endOf(place.item, now) : startOf(place)) >= viewport.start,
    );
    if (found) return found;
  }
  return undefined;
}

/** Returns the next (`by` 1) or previous (-1) place in the lane, or with `sameRow` in the row. */
export function neighbour(place: Place, by: 1 | -1, sameRow: boolean): Place {
  const things = thingsOf(place.lane, sameRow ? rowOf(place) : undefined);
  const at = things.findIndex((candidate) => idOf(candidate) === idOf(place));
  return things[at + by] ?? place;
}

/**
 * Returns the place in the lane above (-1) or below (1) that is at the same time or nearest to it. Each row counts as a
 * lane.
 */
export function acrossLanes(model: TimelineModel, place: Place, by: 1 | -1, now: number): Place {
  const levels = model.lanes.flatMap((lane) =>
    Array.from({ length: Math.max(1, lane.rows) }, (_, row) => ({ lane, row })),
  );
  const at = levels.findIndex(({ lane, row }) => lane.id === place.lane.id && row === rowOf(place));
  const time = startOf(place);
  for (let next = at + by; levels[next]; next += by) {
    const level = levels[next];
    const nearest = level && nearestOf(thingsOf(level.lane, level.row), time, now);
    if (nearest) return nearest;
  }
  return place;
}

function nearestOf(things: readonly Place[], time: number, now: number): Place | undefined {
  const after = firstIndex(things.length, (index) => startOf(things[index] as Place) > time);
  const before = things[after - 1];
  const next = things[after];
  if (!before || !next) return before ?? next;
  const end = before.item ? endOf(before.item, now) : startOf(before);
  return time <= end || time - end <= startOf(next) - time ? before : next;
}
