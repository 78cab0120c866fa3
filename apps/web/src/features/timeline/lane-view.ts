/** Stores how the timeline arranges lanes: collapsed, ordered, pinned and hidden ones, or all pods. */
import type { LaneOrder } from '@podscope/timeline';
import { create } from 'zustand';

interface LaneView {
  /** True while the timeline shows all pods of the node. */
  readonly isOverview: boolean;
  /** Undefined collapses healthy containers where there are many. */
  readonly collapses: boolean | undefined;
  readonly order: LaneOrder;
  /** Ids of lanes at the top. */
  readonly pinned: ReadonlySet<string>;
  /** Ids of lanes that aren't drawn. */
  readonly hidden: ReadonlySet<string>;
}

export const useLaneView = create<LaneView>()(() => ({
  isOverview: false,
  collapses: undefined,
  order: 'spec',
  pinned: new Set(),
  hidden: new Set(),
}));

/** Adds or removes a lane. */
export function toggleLane(list: 'pinned' | 'hidden', id: string): void {
  const lanes = new Set(useLaneView.getState()[list]);
  if (!lanes.delete(id)) lanes.add(id);
  useLaneView.setState({ [list]: lanes });
}
