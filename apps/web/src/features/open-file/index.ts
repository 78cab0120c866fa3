/** Opens dropped and chosen files: runs, manifests, pod snapshots and lessons. */
export { DropZone } from './DropZone.tsx';
export { openFiles } from './open-file.ts';
