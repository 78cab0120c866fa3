/** Exports class mode, in which a teacher guides learners who each run a simulated node in their own browser. */
import { lazy } from 'react';

/** All of class mode is one chunk, which a page outside a class doesn't load. */
const parts = () => import('./parts.ts');

/** The bar of a page in a class: the teacher's or the learner's. */
export const ClassBar = lazy(async () => ({ default: (await parts()).ClassBar }));
/** The dialog that starts a class from the page of a server. */
export const ClassDialog = lazy(async () => ({ default: (await parts()).ClassDialog }));
/** The presenter view: a second window beside a presentation. */
export const PresenterView = lazy(async () => ({ default: (await parts()).PresenterView }));
/** The button that opens the presenter view. */
export const PresenterButton = lazy(async () => ({ default: (await parts()).PresenterButton }));
