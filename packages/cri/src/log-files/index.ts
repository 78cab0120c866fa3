/** Exports log files in CRI's format. Needs Node. */
export { LogFile } from './log-file.ts';
