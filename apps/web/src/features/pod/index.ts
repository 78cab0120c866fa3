/** Exports the header of the selected pod, and its deletion. */
export { PodHeader } from './PodHeader.tsx';
