/** Writes, reads and migrates trace files. Works in a browser. */
export { bytesOf } from './bytes/bytes-of.ts';
export { gunzip } from './bytes/gunzip.ts';
export { type PackedLines, type UnpackedFile, unpackFile } from './bytes/packed-lines.ts';
export {
  type TraceFileHeader,
  traceFileExtension,
  traceFileFormat,
  traceFileMediaType,
  traceFileVersion,
} from './header.ts';
export { defaultTraceFileLimits, type TraceFileLimits } from './limits.ts';
export {
  type LoadedTraceFile,
  loadTraceFile,
  openTraceFile,
  openUnpackedTraceFile,
  type TraceFileReader,
  type TraceFileReport,
} from './read-trace-file.ts';
export {
  maxNoteLength,
  maxNotes,
  maxTags,
  maxTitleLength,
  type RepeatedRun,
  type RunDebug,
  type RunInfo,
  type RunNote,
  runDebugOf,
  runInfoSchema,
  runNoteSchema,
  tagSchema,
} from './run-info.ts';
export { TraceFileError, type TraceFileErrorCode } from './trace-file-error.ts';
export { writeTraceFile } from './write-trace-file.ts';
