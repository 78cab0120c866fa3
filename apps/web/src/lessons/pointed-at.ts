/** What a lesson points at within a panel: the panels draw it themselves. */
import { create } from 'zustand';

interface PointedAt {
  /** Name of the container whose lane of the timeline is meant. */
  readonly container: string | undefined;
  /** Id of the step of SyncPod that is meant. */
  readonly step: string | undefined;
}

export const nothingPointedAt: PointedAt = { container: undefined, step: undefined };

export const usePointedAt = create<PointedAt>()(() => nothingPointedAt);
