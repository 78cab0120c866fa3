/** The steps of a sync. */
export { stepStateMessages } from './messages.en.ts';
export type { StepMark } from './StepRowView.tsx';
export { StepsTab } from './StepsTab.tsx';
export { StepTree } from './StepTree.tsx';
