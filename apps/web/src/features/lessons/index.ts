/** Lessons: guided runs with questions. */
import { lazy } from 'react';

export { stepOf, useLesson } from './lesson-store.ts';
export {
  goOnInLesson,
  goToLessonStep,
  lessonRecording,
  lessonReferences,
  libraryLesson,
  libraryLessons,
  openLibraryLesson,
  openOwnLesson,
  openScenarioText,
  runLessonStep,
} from './open-lesson.ts';
export { useAddressedLesson } from './use-addressed-lesson.ts';

export const LessonPanel = lazy(() => import('./LessonPanel.tsx'));
export const LessonsDialog = lazy(() => import('./LessonsDialog.tsx'));
