/** Implements the keyboard actions on the display. */

import type { Display } from '../display.ts';
import { lengthOf } from '../scale/viewport.ts';
import type { Timeline } from '../timeline-api.ts';
import { acrossLanes, firstPlace, idOf, neighbour, type Place, startOf } from '../view/navigation.ts';
import type { TimelineActions } from './keys.ts';

/** The selection and the measured range, which the keys change. */
export interface KeyTarget {
  selection(): Place | undefined;
  /** Returns the time under the pointer while it is over the lanes. */
  pointerTime(): number | undefined;
  select(place: Place | undefined): void;
  activate(): void;
  /** Clears the measured range, or the selection if no range is measured. */
  clear(): void;
}

const zoomStep = 1.6;
const panStep = 0.2;

/** Space at the ends of a run, as a share of the visible range. */
const endAir = 0.04;

export function keyActions(
  timeline: Pick<Timeline, 'fit' | 'folding' | 'follow' | 'panBy' | 'setFolding' | 'zoomBy'>,
  display: Display,
  target: KeyTarget,
): TimelineActions {
  const step = (go: (place: Place) => Place): void => {
    const selection = target.selection();
    const next = selection ? go(selection) : firstPlace(display.model, display.view.viewport, display.now());
    if (next) target.select(next);
  };
  /**
   * Returns the time around which to zoom: the time under the pointer; without a pointer, the time of the selection.
   * Returns undefined if neither exists, so that a view that follows the run continues to follow it.
   */
  const zoomAnchor = (): number | undefined => {
    const pointerTime = target.pointerTime();
    if (pointerTime !== undefined || display.view.follow !== 'off') return pointerTime;
    const { start, end } = display.view.viewport;
    const selection = target.selection();
    const at = selection && startOf(selection);
    return at !== undefined && at >= start && at <= end ? at : undefined;
  };
  const fit = (): void => {
    const selection = target.selection();
    const id = selection && idOf(selection);
    const before = display.view.goal;
    if (id !== undefined) timeline.fit(id);
    const isSame = display.view.goal.start === before.start && display.view.goal.end === before.end;
    if (id === undefined || isSame) timeline.fit();
  };
  /** Moves `time` to the left (0) or right (1) edge, with some space. */
  const goTo = (time: number, edge: 0 | 1): void => {
    const { goal, folds } = display.view;
    const length = lengthOf(goal);
    const at = edge === 0 ? goal.start : goal.end;
    timeline.panBy((folds.shown(time) - at) / length + (edge === 0 ? -endAir : endAir));
  };
  return {
    zoomIn: () => timeline.zoomBy(zoomStep, zoomAnchor()),
    zoomOut: () => timeline.zoomBy(1 / zoomStep, zoomAnchor()),
    panLeft: () => timeline.panBy(-panStep),
    panRight: () => timeline.panBy(panStep),
    fit,
    fold: () => timeline.setFolding(!timeline.folding),
    next: () => step((place) => neighbour(place, 1, false)),
    previous: () => step((place) => neighbour(place, -1, false)),
    nextInRow: () => step((place) => neighbour(place, 1, true)),
    previousInRow: () => step((place) => neighbour(place, -1, true)),
    laneUp: () => step((place) => acrossLanes(display.model, place, -1, display.now())),
    laneDown: () => step((place) => acrossLanes(display.model, place, 1, display.now())),
    toStart: () => goTo(display.model.origin, 0),
    toEnd: () => {
      if (display.model.live) timeline.follow(true);
      else goTo(display.model.end, 1);
    },
    activate: () => target.activate(),
    clear: () => target.clear(),
  };
}
