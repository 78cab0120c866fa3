/** Exports the viewer of recorded runs. */
export type { StreamSource } from '../http/stream.ts';
export { createLogger } from '../log.ts';
export { openBrowser } from '../page/open-browser.ts';
export { preparePage } from '../page/prepare-page.ts';
export { StartError } from '../start-error.ts';
export { type PageServer, startPageServer } from './page-server.ts';
export { startViewer, type Viewer, type ViewerOptions } from './viewer.ts';
