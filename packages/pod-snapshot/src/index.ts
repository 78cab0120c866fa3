/** Pods as a cluster described them (`kubectl get pod -o yaml`): read back, explained, and gone on with in the simulator. */
export { type Happened, PodChronicle } from './chronicle.ts';
export { type CurrentWait, describeEntry, type Forecast, type ForecastEntry, type ForecastOptions, forecast } from './forecast.ts';
export { Masker, masked, maskText, maskValue } from './mask.ts';
export { asNotice, type SnapshotText, sayOfSnapshot, snapshotTextInEnglish, snapshotTexts } from './notices.ts';
export {
  type PodSnapshot,
  readEvent,
  readPodObject,
  readSnapshots,
  type SnapshotError,
  type SnapshotEvent,
  type SnapshotReading,
  subjectOf,
  withoutSecretObjects,
} from './read-snapshots.ts';
export { type RelivedPod, type RelivePodOptions, relivePod } from './relive.ts';
