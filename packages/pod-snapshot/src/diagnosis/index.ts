/** Diagnoses pods without the engine, for the page. */
export { diagnosePodOfRun } from './diagnose-run.ts';
