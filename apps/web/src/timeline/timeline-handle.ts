/** The timeline on the page, for commands and keys that come from elsewhere. */
import type { Timeline } from '@podscope/timeline';
import { create } from 'zustand';

export const useTimelineHandle = create<{ readonly timeline: Timeline | undefined }>()(() => ({ timeline: undefined }));

export const timelineHandle = (): Timeline | undefined => useTimelineHandle.getState().timeline;
