/**
 * Stores how the timeline arranges its lanes: which are collapsed, pinned or hidden, their order, and whether all pods
 * are shown.
 */
import { type LaneOrder, laneOrders } from '@podscope/timeline';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { pageStorage } from '../../base/preferences/page-storage.ts';

interface LaneView {
  /** True while the timeline shows all pods of the node. */
  readonly isOverview: boolean;
  /**
   * True to show a lane for each thread of an observed node, and the items of these lanes in the table. Default: one
   * lane.
   */
  readonly isNodeExpanded: boolean;
  /**
   * True to collapse the lanes of healthy containers. If undefined, they are collapsed only in a pod with many
   * containers.
   */
  readonly collapses: boolean | undefined;
  readonly order: LaneOrder;
  /** Ids of lanes in the manual order. */
  readonly sequence: readonly string[];
  /** Ids of the lanes that stay at the top of the timeline. */
  readonly pinned: ReadonlySet<string>;
  /** Ids of lanes that aren't drawn. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * Maximum number of pinned lanes, of hidden lanes, and of lanes in manual order, that are stored. Without a limit,
 * lanes of deleted pods would accumulate.
 */
const kept = 100;

interface StoredView {
  readonly collapses?: boolean | undefined;
  readonly order: string;
  readonly sequence?: readonly string[];
  readonly pinned: readonly string[];
  readonly hidden: readonly string[];
}

export const useLaneView = create<LaneView>()(
  persist(
    (): LaneView => ({
      isOverview: false,
      isNodeExpanded: false,
      collapses: undefined,
      order: 'spec',
      sequence: [],
      pinned: new Set(),
      hidden: new Set(),
    }),
    {
      name: 'podscope.lanes',
      version: 1,
      storage: createJSONStorage(() => pageStorage),
      partialize: ({ collapses, order, sequence, pinned, hidden }): StoredView => ({
        collapses,
        order,
        sequence: sequence.slice(-kept),
        pinned: [...pinned].slice(-kept),
        hidden: [...hidden].slice(-kept),
      }),
      merge: (stored, initial) => {
        const { collapses, order, sequence = [], pinned = [], hidden = [] } = (stored ?? {}) as Partial<StoredView>;
        return {
          ...initial,
          collapses,
          order: laneOrders.find((each) => each === order) ?? initial.order,
          sequence,
          pinned: new Set(pinned),
          hidden: new Set(hidden),
        };
      },
    },
  ),
);

/** Adds a lane to a list, or removes it. */
export function toggleLane(list: 'pinned' | 'hidden', id: string): void {
  const lanes = new Set(useLaneView.getState()[list]);
  if (!lanes.delete(id)) lanes.add(id);
  useLaneView.setState({ [list]: lanes });
}

/**
 * Moves a lane by some places in the manual order of a pod.
 * @param lanes the ids of the pod's lanes in their current order
 */
export function moveLane(lanes: readonly string[], id: string, by: number): void {
  const from = lanes.indexOf(id);
  const moved = lanes.toSpliced(from, 1).toSpliced(from + by, 0, id);
  const others = useLaneView.getState().sequence.filter((lane) => !lanes.includes(lane));
  useLaneView.setState({ order: 'manual', sequence: [...others, ...moved] });
}
