/** Stores a reference to the visible timeline, and whether idle time is folded. */
import type { Timeline } from '@podscope/timeline';
import { create } from 'zustand';

interface TimelineHandle {
  readonly timeline: Timeline | undefined;
  /** Whether idle time is folded, for all pods. */
  readonly isFolding: boolean;
}

export const useTimelineHandle = create<TimelineHandle>()(() => ({ timeline: undefined, isFolding: false }));

export const timelineHandle = (): Timeline | undefined => useTimelineHandle.getState().timeline;
