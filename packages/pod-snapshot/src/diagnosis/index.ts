/** Exports the diagnosis of pods, which doesn't need the engine, for the page. */
export { diagnosePodOfRun } from './diagnose-run.ts';
export { type RunSnapshot, snapshotOfRun } from './run-snapshot.ts';
