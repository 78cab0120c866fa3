/** Opens a lesson; the player is loaded with the first one. */
import type { Lesson } from '@podscope/lessons';
import { currentLanguage } from '../../base/i18n/i18n.ts';

/** Opens a lesson from its text. @throws Error that lists every problem with its line */
export const openOwnLesson = async (text: string, name: string): Promise<void> =>
  (await import('./play-lesson.ts')).openOwnLesson(text, name);

/** Opens a lesson of the library at one of its steps. @throws Error for an unknown id */
export const openLibraryLesson = async (id: string, stepId?: string): Promise<void> =>
  (await import('./play-lesson.ts')).openLesson(id, stepId);

/** Returns a lesson of the library in the page's language. @throws Error for an unknown id */
export const libraryLesson = async (id: string): Promise<Lesson> =>
  (await import('./lesson-library.ts')).loadLesson(id, currentLanguage());

/** Returns all lessons of the library in the page's language, in teaching order. */
export async function libraryLessons(): Promise<Lesson[]> {
  const { lessonIds, loadLesson } = await import('./lesson-library.ts');
  return Promise.all(lessonIds.map((id) => loadLesson(id, currentLanguage())));
}

/** Shows a step of the open lesson. An index outside the lesson is ignored. */
export const goToLessonStep = async (index: number): Promise<void> =>
  (await import('./play-lesson.ts')).goToStep(index);

/** Runs the current step without an answer, as a presenter does. */
export const runLessonStep = async (): Promise<void> => (await import('./play-lesson.ts')).letHappen(undefined);

/** Continues from the breakpoint of the current step. */
export const goOnInLesson = async (): Promise<void> => (await import('./play-lesson.ts')).goOnFromStop();
