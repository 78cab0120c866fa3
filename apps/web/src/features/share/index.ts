/** Shares the view as a link, a file or a picture. */
export { ShareButton } from './ShareButton.tsx';
export { shareActions } from './share-actions.ts';
