/**
 * Exports functions that read pods of another cluster (`kubectl get pod -o yaml`), explain them, and continue them in
 * the simulator.
 */

export { diagnoseSnapshot, type PodDiagnosis } from './diagnosis/diagnose.ts';
export { diagnosePodOfRun } from './diagnosis/diagnose-run.ts';
export type { ClaimFacts, ClusterFacts, NodeFacts } from './diagnosis/pod-case.ts';
export { type RunSnapshot, snapshotOfRun } from './diagnosis/run-snapshot.ts';
export { diagnoseWorkload, type Workload } from './diagnosis/workload.ts';
export {
  type CurrentWait,
  describeEntry,
  type Forecast,
  type ForecastEntry,
  type ForecastOptions,
  forecast,
  forecastOfRun,
} from './forecast.ts';
export { type HistoryEvent, PodHistory } from './history.ts';
export { formatSnapshotText, type SnapshotText, snapshotText, snapshotTexts, toNotice } from './notices.ts';
export type { PodSnapshot, SnapshotEvent } from './pod-snapshot.ts';
export {
  readEvent,
  readPodObject,
  readSnapshots,
  type SnapshotError,
  type SnapshotReading,
  subjectOf,
  withoutSecretObjects,
} from './read-snapshots.ts';
export { type RestoredPod, type RestorePodOptions, restorePod } from './restore.ts';
