/** Which items of the picture the list for screen readers has: the latest of each lane that are in view, and the selected one. */
import { firstIndex } from '../base/search.ts';
import { sayItem, sayMarker } from '../describe.ts';
import { endOf, hasOwnMarkers, type Lane, type TimelineModel } from '../model.ts';
import { idOf, type Place } from '../navigation.ts';
import type { Viewport } from '../scale/viewport.ts';
import type { TimelineWords } from '../words.ts';
import { type TwinEntry, twinLimit } from './twin.ts';

/** How many items of a lane are looked at: a bound for views of very many. */
const lookBack = 400;

/** The last `most` things that start in or before the view and pass `isShown`, in order. */
function latest<Thing>(things: readonly Thing[], startOf: (thing: Thing) => number, end: number, most: number, isShown: (thing: Thing) => boolean): Thing[] {
  const after = firstIndex(things.length, (index) => startOf(things[index] as Thing) > end);
  const found: Thing[] = [];
  for (let at = after - 1; at >= Math.max(0, after - lookBack) && found.length < most; at--) {
    const thing = things[at];
    if (thing !== undefined && isShown(thing)) found.unshift(thing);
  }
  return found;
}

function entriesOf(lane: Lane, { start, end }: Viewport, now: number, most: number, words: TimelineWords): TwinEntry[] {
  const isOwn = hasOwnMarkers(lane);
  const items = latest(
    isOwn ? [] : lane.items,
    (item) => item.start,
    end,
    most,
    (item) => item.row === 0 && endOf(item, now) >= start,
  );
  const markers = !isOwn
    ? []
    : latest(
        lane.markers,
        ({ time }) => time,
        end,
        most,
        ({ time }) => time >= start,
      );
  return [
    ...items.map((item) => ({ id: item.id, text: sayItem(item, lane, now, words), isSelected: false })),
    ...markers.map((marker) => ({ id: marker.id, text: sayMarker(marker, lane), isSelected: false })),
  ];
}

/** The entries, lane by lane; what is selected stands first when it is not among them. */
export function twinEntries(model: TimelineModel, viewport: Viewport, now: number, selected: Place | undefined, words: TimelineWords): readonly TwinEntry[] {
  const most = Math.max(1, Math.floor((twinLimit - 1) / Math.max(1, model.lanes.length)));
  const entries = model.lanes.slice(0, twinLimit - 1).flatMap((lane) => entriesOf(lane, viewport, now, most, words));
  const id = selected && idOf(selected);
  if (!selected || id === undefined) return entries;
  if (entries.some((entry) => entry.id === id)) return entries.map((entry) => ({ ...entry, isSelected: entry.id === id }));
  const { item, marker, lane } = selected;
  const text = item ? sayItem(item, lane, now, words) : marker ? sayMarker(marker, lane) : '';
  return [{ id, text, isSelected: true }, ...entries];
}
