/** Pods as a cluster described them (`kubectl get pod -o yaml`): read back, explained, and gone on with in the simulator. */
export { type Happened, PodChronicle } from './chronicle.ts';
export { type CurrentWait, describeEntry, type Forecast, type ForecastEntry, type ForecastOptions, forecast } from './forecast.ts';
export { masked, maskText, maskValue } from './mask.ts';
export { type PodSnapshot, readEvent, readPodObject, readSnapshots, type SnapshotEvent, type SnapshotReading } from './read-snapshots.ts';
export { type RelivedPod, type RelivePodOptions, relivePod } from './relive.ts';
