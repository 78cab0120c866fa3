/** Exports the parts of the lesson editor that load together. */
export { LessonEditor } from './LessonEditor.tsx';
export { RecordBar } from './recording/RecordBar.tsx';
