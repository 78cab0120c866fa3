/** Opens and controls lessons. The player and the library are loaded when the first lesson is opened. */
import type { Known, Lesson } from '@podscope/lessons';
import type { LoadedTraceFile } from '@podscope/trace/file';
import { currentLanguage } from '../../base/i18n/i18n.ts';
import { openLocalRun } from '../../node/run/open-node.ts';
import type { GivenLesson } from './given-lesson.ts';
import { useLesson } from './player/lesson-store.ts';

const player = () => import('./player/play-lesson.ts');
const library = () => import('./library/lesson-library.ts');

/** Matches the name of a translation's file. A browser numbers the second download of a file. */
const translationName = /\.zh-CN(?: ?\(\d+\))?\.md$/;

/** Returns the lesson in the chosen or dropped files, an original and its translation; undefined without a file. */
export async function lessonOfFiles(files: readonly File[]): Promise<GivenLesson | undefined> {
  const original = files.find(({ name }) => !translationName.test(name)) ?? files[0];
  const translation = files.find((file) => file !== original && translationName.test(file.name));
  if (!original) return undefined;
  return {
    text: await original.text(),
    name: original.name,
    ...(translation ? { translation: await translation.text() } : {}),
  };
}

/**
 * Opens a lesson from its text, in the page's language if there is a translation.
 * @throws Error that lists every problem
 */
export const openGivenLesson = async (given: GivenLesson): Promise<void> => (await player()).openGivenLesson(given);

/** Returns a lesson that isn't in the library, in the page's language. @throws Error that lists every syntax error */
export const parseGivenLesson = async (given: GivenLesson): Promise<Lesson> =>
  (await library()).parseGivenLesson(given, currentLanguage());

/**
 * Like {@link parseGivenLesson}, and checks to what the lesson refers, and its translation.
 * @throws Error that lists every problem
 */
export const checkedGivenLesson = async (given: GivenLesson): Promise<Lesson> =>
  (await library()).readGivenLesson(given, currentLanguage());

/** Plays a scenario from the text of its file. @throws Error that lists every problem with its line */
export async function openScenarioText(text: string, name: string): Promise<void> {
  const { value, profile } = await (await library()).readScenarioFile(text, name);
  openLocalRun({ ownScenario: value, profile });
}

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

/** Closes the open lesson, because another run replaces the lesson's. Does nothing without a lesson. */
export async function leaveLesson(): Promise<void> {
  if (useLesson.getState().lesson) (await player()).closeLesson();
}

/** Shows a step of the open lesson. An index outside the lesson is ignored. */
export const goToLessonStep = async (index: number): Promise<void> => (await player()).goToStep(index);

/** Runs the current step without an answer, as in a presentation. */
export const runLessonStep = async (): Promise<void> => (await player()).playStep(undefined);

/** Continues from the breakpoint of the current step. */
export const continueLesson = async (): Promise<void> => (await player()).continueFromStop();

/** Returns the scenarios, points and recordings to which lessons may refer, for the check of a draft. */
export const lessonReferences = async (): Promise<Known> => (await library()).loadReferences();

/** Returns a recorded run of the library. @throws Error for an unknown id or a failed download */
export const lessonRecording = async (id: string): Promise<LoadedTraceFile> =>
  (await import('./library/recordings.ts')).loadRecording(id);
