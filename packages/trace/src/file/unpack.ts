/** Unpacks trace files without parsing them: for a worker, which starts faster without the schemas of events. */
export { bytesOf } from './bytes-of.ts';
export { defaultTraceFileLimits } from './limits.ts';
export { unpackFile } from './packed-lines.ts';
export { TraceFileError } from './trace-file-error.ts';
