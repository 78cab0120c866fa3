/** Exports the timeline, the lanes of a run and their description in words. */
export type { TimeZoneName } from './base/format.ts';
export { formatClock, formatDuration, formatExact } from './base/format.ts';
export { drawSample, type Sample } from './draw/sample.ts';
export { readTheme, type Theme } from './draw/theme.ts';
export { type TimelineKey, timelineKeys } from './interaction/keys.ts';
export { type ItemReference, itemId, parseItemId } from './items/item-id.ts';
export {
  collapsesByDefault,
  isContainerLane,
  type LaneArrangement,
  LaneArranger,
  type LaneOrder,
  laneOrders,
} from './lanes/arrange-lanes.ts';
export { RunLanes, type RunSource } from './lanes/lanes-from-run.ts';
export { nodeLaneId } from './lanes/node-lanes.ts';
export {
  emptyModel,
  type Item,
  type ItemState,
  isFoldableLane,
  type Lane,
  type LaneKind,
  type Marker,
  type TimelineModel,
} from './model.ts';
export { ticks } from './scale/ticks.ts';
export { lengthOf, type Viewport } from './scale/viewport.ts';
export { createTimeline } from './timeline.ts';
export type {
  Timeline,
  TimelineEvents,
  TimelineHover,
  TimelineOptions,
  TimelineSelection,
  TimelineStats,
} from './timeline-api.ts';
export type { FollowMode } from './view/view.ts';
export { type Description, describeItem, describeMarker, type TableRow, tableRows } from './words/describe.ts';
export { englishWords, type TimelineWords } from './words/words.ts';
