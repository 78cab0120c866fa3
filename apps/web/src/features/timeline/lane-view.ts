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
   * True to collapse the lanes of healthy containers. If undefined, they are collapsed only in a pod with many
   * containers.
   */
  readonly collapses: boolean | undefined;
  readonly order: LaneOrder;
  /** Ids of the lanes that stay at the top of the timeline. */
  readonly pinned: ReadonlySet<string>;
  /** Ids of lanes that aren't drawn. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * Maximum number of pinned lanes, and of hidden lanes, that are stored. Without a limit, lanes of deleted pods would
 * accumulate.
 */
const kept = 100;

interface StoredView {
  readonly collapses?: boolean | undefined;
  readonly order: string;
  readonly pinned: readonly string[];
  readonly hidden: readonly string[];
}

export const useLaneView = create<LaneView>()(
  persist(
    (): LaneView => ({
      isOverview: false,
      collapses: undefined,
      order: 'spec',
      pinned: new Set(),
      hidden: new Set(),
    }),
    {
      name: 'podscope.lanes',
      version: 1,
      storage: createJSONStorage(() => pageStorage),
      partialize: ({ collapses, order, pinned, hidden }): StoredView => ({
        collapses,
        order,
        pinned: [...pinned].slice(-kept),
        hidden: [...hidden].slice(-kept),
      }),
      merge: (stored, initial) => {
        const { collapses, order, pinned = [], hidden = [] } = (stored ?? {}) as Partial<StoredView>;
        return {
          ...initial,
          collapses,
          order: laneOrders.find((each) => each === order) ?? initial.order,
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
