/** What the keys do, in terms of the stage. */
import { acrossLanes, firstPlace, idOf, neighbour, type Place, startOf } from '../navigation.ts';
import { lengthOf } from '../scale/viewport.ts';
import type { Stage } from '../stage.ts';
import type { Timeline } from '../timeline-api.ts';
import type { TimelineActions } from './keys.ts';

/** What is selected and measured, for the keys to change. */
export interface KeyTarget {
  selection(): Place | undefined;
  /** The time below the pointer, while it is over the lanes. */
  pointerTime(): number | undefined;
  select(place: Place | undefined): void;
  activate(): void;
  /** Clears the measured range, else the selection. */
  clear(): void;
}

const zoomStep = 1.6;
const panStep = 0.2;

/** Air at the ends of a run, as a share of the length in view. */
const endAir = 0.04;

export function keyActions(
  timeline: Pick<Timeline, 'fit' | 'folding' | 'follow' | 'panBy' | 'setFolding' | 'zoomBy'>,
  stage: Stage,
  target: KeyTarget,
): TimelineActions {
  const step = (go: (place: Place) => Place): void => {
    const selection = target.selection();
    const next = selection ? go(selection) : firstPlace(stage.model, stage.view.viewport, stage.now());
    if (next) target.select(next);
  };
  /** Where the pointer is, else at the selection, else in the middle. */
  const anchor = (): number | undefined => {
    const pointerTime = target.pointerTime();
    if (pointerTime !== undefined) return pointerTime;
    const { start, end } = stage.view.viewport;
    const selection = target.selection();
    const at = selection && startOf(selection);
    return at !== undefined && at >= start && at <= end ? at : undefined;
  };
  const fit = (): void => {
    const selection = target.selection();
    const id = selection && idOf(selection);
    const before = stage.view.goal;
    if (id !== undefined) timeline.fit(id);
    const isSame = stage.view.goal.start === before.start && stage.view.goal.end === before.end;
    if (id === undefined || isSame) timeline.fit();
  };
  /** Brings `time` to the left (0) or right (1) edge, with some air. */
  const goTo = (time: number, edge: 0 | 1): void => {
    const { goal, folds } = stage.view;
    const length = lengthOf(goal);
    const at = edge === 0 ? goal.start : goal.end;
    timeline.panBy((folds.shown(time) - at) / length + (edge === 0 ? -endAir : endAir));
  };
  return {
    zoomIn: () => timeline.zoomBy(zoomStep, anchor()),
    zoomOut: () => timeline.zoomBy(1 / zoomStep, anchor()),
    panLeft: () => timeline.panBy(-panStep),
    panRight: () => timeline.panBy(panStep),
    fit,
    fold: () => timeline.setFolding(!timeline.folding),
    next: () => step((place) => neighbour(place, 1, false)),
    previous: () => step((place) => neighbour(place, -1, false)),
    nextInRow: () => step((place) => neighbour(place, 1, true)),
    previousInRow: () => step((place) => neighbour(place, -1, true)),
    laneUp: () => step((place) => acrossLanes(stage.model, place, -1, stage.now())),
    laneDown: () => step((place) => acrossLanes(stage.model, place, 1, stage.now())),
    toStart: () => goTo(stage.model.origin, 0),
    toEnd: () => {
      if (stage.model.live) timeline.follow(true);
      else goTo(stage.model.end, 1);
    },
    activate: () => target.activate(),
    clear: () => target.clear(),
  };
}
