/** Class mode: a teacher with learners who each run a simulated node in their own browser. */
import { lazy } from 'react';

/** The bar of a page in a class: the teacher's or the learner's. */
export const ClassBar = lazy(() => import('./ClassBar.tsx'));
/** Starts a class from the page of a server. */
export const ClassDialog = lazy(() => import('./teacher/ClassDialog.tsx'));
/** The window beside a presentation. */
export const PresenterView = lazy(() => import('./presenter/PresenterView.tsx'));
/** Opens that window. */
export const PresenterButton = lazy(() => import('./link/PresenterButton.tsx'));
