/** Log files in CRI's format, for Node. */
export { LogFile } from './log-file.ts';
