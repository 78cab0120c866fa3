/** The viewer of recorded runs, and what starting one takes. */
export { createLogger } from '../log.ts';
export { buildPage, pageDirectory } from '../page/build-page.ts';
export { openBrowser } from '../page/open-browser.ts';
export { StartError } from '../start-error.ts';
export { startViewer, type Viewer, type ViewerOptions } from './viewer.ts';
