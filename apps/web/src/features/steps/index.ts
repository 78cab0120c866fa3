/** The steps of a sync. */
import { lazy } from 'react';

export { stepStateMessages } from './messages.en.ts';
export type { StepMark } from './StepRowView.tsx';

const loadTree = async () => ({ default: (await import('./StepTree.tsx')).StepTree });
const loadTab = () => import('./StepsTab.tsx');

export const StepsTab = lazy(loadTab);
export const StepTree = lazy(loadTree);

/** Loads the tab ahead of its first use. */
export const loadSteps = (): Promise<unknown> => Promise.all([loadTab(), loadTree()]);
