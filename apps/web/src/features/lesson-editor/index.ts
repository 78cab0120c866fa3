/** Exports the lesson editor, which records what the user does on a node and turns it into a lesson or a scenario. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import type { GivenLesson } from '../lessons/index.ts';
import { useRecording } from './recording/recording-store.ts';

/** Returns true while a recording is in progress. */
export const useIsRecording = (): boolean => useRecording(({ recording }) => recording !== undefined);

/** Returns the lesson that is being written; undefined if it has no steps. */
export const draftLesson = async (): Promise<GivenLesson | undefined> =>
  (await import('./draft/draft-lesson.ts')).draftLesson();

export const LessonEditor = lazyPart(async () => ({ default: (await import('./parts.ts')).LessonEditor }));
export const RecordBar = lazyPart(async () => ({ default: (await import('./parts.ts')).RecordBar }));
