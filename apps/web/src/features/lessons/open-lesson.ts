/** Opens and controls lessons; player and library are loaded with the first one. */
import type { Lesson } from '@podscope/lessons';
import { currentLanguage } from '../../base/i18n/i18n.ts';

const player = () => import('./play-lesson.ts');
const library = () => import('./lesson-library.ts');

/** Opens a lesson from its text. @throws Error that lists every problem with its line */
export const openOwnLesson = async (text: string, name: string): Promise<void> =>
  (await player()).openOwnLesson(text, name);

/** Opens a lesson of the library at one of its steps. @throws Error for an unknown id */
export const openLibraryLesson = async (id: string, stepId?: string): Promise<void> =>
  (await player()).openLesson(id, stepId);

/** Returns a lesson of the library in the page's language. @throws Error for an unknown id */
export const libraryLesson = async (id: string): Promise<Lesson> => (await library()).loadLesson(id, currentLanguage());

/** Returns all lessons of the library in the page's language, in teaching order. */
export async function libraryLessons(): Promise<Lesson[]> {
  const { lessonIds, loadLesson } = await library();
  return Promise.all(lessonIds.map((id) => loadLesson(id, currentLanguage())));
}

/** Shows a step of the open lesson. An index outside the lesson is ignored. */
export const goToLessonStep = async (index: number): Promise<void> => (await player()).goToStep(index);

/** Runs the current step without an answer, as a presenter does. */
export const runLessonStep = async (): Promise<void> => (await player()).letHappen(undefined);

/** Continues from the breakpoint of the current step. */
export const goOnInLesson = async (): Promise<void> => (await player()).goOnFromStop();
