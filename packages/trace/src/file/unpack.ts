/** Unpacks trace files without parsing them: for a worker, which starts faster without the schemas of events. */
export { bytesOf } from './bytes/bytes-of.ts';
export { unpackFile } from './bytes/packed-lines.ts';
export { defaultTraceFileLimits } from './limits.ts';
export { TraceFileError } from './trace-file-error.ts';
