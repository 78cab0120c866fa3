/** Recorded runs for the command line: the store, and files in and out of it. */
export { defaultStateDir } from '../cli/options.ts';
export { productVersion } from '../repository.ts';
export { EventStore } from '../store/event-store.ts';
export { RunRecorder } from '../store/run-recorder.ts';
export { StoreError } from '../store/store-error.ts';
export { eventTexts, importRun, runInfoOf } from '../store/transfer.ts';
