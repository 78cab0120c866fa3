/** Log files in CRI's format, for Node: a runtime writes them, the kubelet reads them. */
export { LogFile } from './log-file.ts';
