/** Lessons: guided runs with questions. */
import { lazy } from 'react';

export { type LessonState, stepOf, useLesson } from './lesson-store.ts';
export {
  goOnInLesson,
  goToLessonStep,
  lessonRecording,
  lessonReferences,
  libraryLesson,
  libraryLessons,
  openGivenLesson,
  openLibraryLesson,
  openOwnLesson,
  openScenarioText,
  runLessonStep,
} from './open-lesson.ts';
export { useAddressedLesson } from './use-addressed-lesson.ts';

export const LessonPanel = lazy(() => import('./LessonPanel.tsx'));
export const LessonsDialog = lazy(() => import('./LessonsDialog.tsx'));
