/** The steps of a sync. */
import { lazy } from 'react';

export { stepStateMessages } from './messages.en.ts';
export type { StepMark } from './StepRowView.tsx';

export const StepsTab = lazy(() => import('./StepsTab.tsx'));
export const StepTree = lazy(async () => ({ default: (await import('./StepTree.tsx')).StepTree }));
