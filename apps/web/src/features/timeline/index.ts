/** Exports the timeline of a pod. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { TimelinePanel } from './TimelinePanel.tsx';
export { timelineHandle } from './timeline-handle.ts';
export { useTimelineWords } from './timeline-words.ts';

export const TimelineLegend = lazyPart(() => import('./TimelineLegend.tsx'));

/** Draws the timeline as a PNG. */
export const timelinePicture = async (): Promise<Blob> => (await import('./timeline-picture.ts')).timelinePicture();
