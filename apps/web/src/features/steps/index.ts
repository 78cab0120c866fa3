/** Exports the steps of a sync. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { stepStateMessages } from './messages.en.ts';
export type { StepMark } from './StepRowView.tsx';

export const StepsTab = lazyPart(() => import('./StepsTab.tsx'));
export const StepTree = lazyPart(async () => ({ default: (await import('./StepTree.tsx')).StepTree }));
