/** Compares runs step by step. Works in a browser. */
export {
  type AlignedStep,
  type CompareOptions,
  compareRuns,
  compareSteps,
  type RunComparison,
  type StepDifference,
} from './compare-runs.ts';
export { manifestName } from './manifest-name.ts';
export { type RunStep, RunSteps } from './run-steps.ts';
