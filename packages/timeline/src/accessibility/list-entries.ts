/** Selects the entries of the screen reader list: the latest visible items of each lane and the selected item. */
import { firstIndex } from '../base/search.ts';
import { endOf, hasOwnMarkers, type Lane, type TimelineModel } from '../model.ts';
import type { Viewport } from '../scale/viewport.ts';
import { idOf, type Place } from '../view/navigation.ts';
import { itemText, markerText } from '../words/describe.ts';
import type { TimelineWords } from '../words/words.ts';
import { type ListEntry, listLimit } from './screen-reader-list.ts';

/** How many items of a lane are examined at most, because a view can contain very many. */
const lookBack = 400;

/**
 * Returns at most `most` things for which `isShown` returns true and that start before the end of the view: the latest
 * of these things, in order. Up to half of the places are reserved for things for which `matters` returns true, so that
 * failures are always included.
 */
function latest<Thing>(
  things: readonly Thing[],
  startOf: (thing: Thing) => number,
  end: number,
  most: number,
  isShown: (thing: Thing) => boolean,
  matters: (thing: Thing) => boolean,
): readonly Thing[] {
  const after = firstIndex(things.length, (index) => startOf(things[index] as Thing) > end);
  const recent: Thing[] = [];
  const failures: Thing[] = [];
  for (let at = after - 1; at >= Math.max(0, after - lookBack); at--) {
    const thing = things[at];
    if (thing === undefined || !isShown(thing)) continue;
    if (recent.length < most) recent.unshift(thing);
    else if (failures.length < most && matters(thing)) failures.unshift(thing);
  }
  const missing = Math.max(0, Math.floor(most / 2) - recent.filter(matters).length);
  const added = missing === 0 ? [] : failures.slice(-missing);
  // Removes the oldest things that aren't failures, to make room for the added things.
  let surplus = added.length;
  return [...added, ...recent.filter((thing) => matters(thing) || surplus-- <= 0)];
}

function entriesOf(lane: Lane, { start, end }: Viewport, now: number, most: number, words: TimelineWords): ListEntry[] {
  const isOwn = hasOwnMarkers(lane);
  const items = latest(
    isOwn ? [] : lane.items,
    (item) => item.start,
    end,
    most,
    (item) => item.row === 0 && endOf(item, now) >= start,
    ({ failed, injected }) => failed === true || injected === true,
  );
  const markers = !isOwn
    ? []
    : latest(
        lane.markers,
        ({ time }) => time,
        end,
        most,
        ({ time }) => time >= start,
        ({ kind }) => kind !== 'event' && kind !== 'probeSuccess',
      );
  return [
    ...items.map((item) => ({ id: item.id, text: itemText(item, lane, now, words), isSelected: false })),
    ...markers.map((marker) => ({ id: marker.id, text: markerText(marker, lane, words), isSelected: false })),
  ];
}

/** Returns the entries lane by lane. If the selected item isn't one of them, it is added as the first. */
export function listEntries(
  model: TimelineModel,
  viewport: Viewport,
  now: number,
  selected: Place | undefined,
  words: TimelineWords,
): readonly ListEntry[] {
  const most = Math.max(1, Math.floor((listLimit - 1) / Math.max(1, model.lanes.length)));
  const entries = model.lanes.slice(0, listLimit - 1).flatMap((lane) => entriesOf(lane, viewport, now, most, words));
  const id = selected && idOf(selected);
  if (!selected || id === undefined) return entries;
  if (entries.some((entry) => entry.id === id))
    return entries.map((entry) => ({ ...entry, isSelected: entry.id === id }));
  const { item, marker, lane } = selected;
  const text = item ? itemText(item, lane, now, words) : marker ? markerText(marker, lane, words) : '';
  return [{ id, text, isSelected: true }, ...entries];
}
