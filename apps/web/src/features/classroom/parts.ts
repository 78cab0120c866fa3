/** Exports the components of class mode, which load together. */
export { ClassBar } from './ClassBar.tsx';
export { PresenterButton } from './link/PresenterButton.tsx';
export { PresenterView } from './presenter/PresenterView.tsx';
export { ClassDialog } from './teacher/ClassDialog.tsx';
