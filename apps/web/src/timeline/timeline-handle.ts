/** The timeline on the page, for commands and keys that come from elsewhere. */
import type { Timeline } from '@podscope/timeline';
import { create } from 'zustand';

interface TimelineHandle {
  readonly timeline: Timeline | undefined;
  /** Idle time is folded: kept from pod to pod. */
  readonly isFolding: boolean;
}

export const useTimelineHandle = create<TimelineHandle>()(() => ({ timeline: undefined, isFolding: false }));

export const timelineHandle = (): Timeline | undefined => useTimelineHandle.getState().timeline;
