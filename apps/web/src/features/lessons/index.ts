/** Exports lessons: guided runs with questions. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { type GivenLesson, isSameSource } from './given-lesson.ts';
export {
  checkedGivenLesson,
  continueLesson,
  goToLessonStep,
  leaveLesson,
  lessonOfFiles,
  lessonRecording,
  lessonReferences,
  libraryLesson,
  libraryLessons,
  openGivenLesson,
  openLibraryLesson,
  openScenarioText,
  parseGivenLesson,
  runLessonStep,
} from './open-lesson.ts';
export { LessonText } from './panel/LessonText.tsx';
export { type LessonState, stepOf, useLesson } from './player/lesson-store.ts';
export { lessonError, translateLessonProblem, translateProblem } from './problems/translate-problem.ts';
export { useAddressedLesson } from './use-addressed-lesson.ts';

export const LessonPanel = lazyPart(() => import('./panel/LessonPanel.tsx'));
export const LessonsDialog = lazyPart(() => import('./LessonsDialog.tsx'));
