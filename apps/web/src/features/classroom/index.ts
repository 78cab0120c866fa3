/** Exports class mode, in which a teacher guides learners who each run a simulated node in their own browser. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

/** All of class mode is one chunk, which a page outside a class doesn't load. */
const parts = () => import('./parts.ts');

/** The bar of a page in a class: the teacher's or the learner's. */
export const ClassBar = lazyPart(async () => ({ default: (await parts()).ClassBar }));
/** The dialog that starts a class from the page of a server. */
export const ClassDialog = lazyPart(async () => ({ default: (await parts()).ClassDialog }));
/** The presenter view: a second window beside a presentation. */
export const PresenterView = lazyPart(async () => ({ default: (await parts()).PresenterView }));
/** The button that opens the presenter view. */
export const PresenterButton = lazyPart(async () => ({ default: (await parts()).PresenterButton }));
