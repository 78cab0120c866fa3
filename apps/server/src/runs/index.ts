/** Exports recorded runs for the command line: the store, and the import and export of files. */
export { defaultStateDir, runsSizeValues } from '../cli/option-definitions.ts';
export { EventStore } from '../store/event-store.ts';
export { RunRecorder } from '../store/run-recorder.ts';
export { StoreError } from '../store/store-error.ts';
export { defaultRunsSize } from '../store/store-limits.ts';
export { eventTexts, importRun, runInfoOf } from '../store/transfer.ts';
export { productVersion } from '../version.ts';
