/** Exports the lesson editor, which records what the user does on a node and turns it into a lesson or a scenario. */
import { lazy } from 'react';
import { useRecording } from './recording-store.ts';

/** Returns true while a recording is in progress. */
export const useIsRecording = (): boolean => useRecording(({ recording }) => recording !== undefined);

export const LessonEditor = lazy(async () => ({ default: (await import('./parts.ts')).LessonEditor }));
export const RecordBar = lazy(async () => ({ default: (await import('./parts.ts')).RecordBar }));
