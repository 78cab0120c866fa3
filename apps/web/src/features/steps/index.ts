/** The steps of a sync. */
export { StepsTab } from './StepsTab.tsx';
export { showSync } from './SyncSelector.tsx';
