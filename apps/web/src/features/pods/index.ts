/** Exports the list of pods. */
export { PodsPanel, podFilterId } from './PodsPanel.tsx';
