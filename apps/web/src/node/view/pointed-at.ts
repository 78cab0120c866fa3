/** Stores the lane and step that a lesson highlights. */
import { create } from 'zustand';

interface PointedAt {
  /** Name of the container whose lane is highlighted. */
  readonly container: string | undefined;
  /** Id of the highlighted step of SyncPod. */
  readonly step: string | undefined;
}

export const nothingPointedAt: PointedAt = { container: undefined, step: undefined };

export const usePointedAt = create<PointedAt>()(() => nothingPointedAt);
