/** Exports the timeline of a pod. */
export { TimelinePanel } from './TimelinePanel.tsx';
export { timelineHandle } from './timeline-handle.ts';
export { useTimelineWords } from './timeline-words.ts';

/** Draws the timeline as a PNG. */
export const timelinePicture = async (): Promise<Blob> => (await import('./timeline-picture.ts')).timelinePicture();
