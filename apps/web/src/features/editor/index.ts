/** The manifest editor and the dialog that creates pods. */
import { lazy } from 'react';

export { createFromTemplate } from './apply-manifest.ts';
export type { CodeViewHandle } from './code-view/CodeView.tsx';
export { LazyCodeView } from './code-view/lazy-code-view.ts';
export { readManifest } from './draft.ts';

export const NewPodDialog = lazy(() => import('./NewPodDialog.tsx'));
