/**
 * Declares the tracks as the fold changes them: the types of tracks.ts without `readonly`, and their initial values.
 */
import type {
  ActivityRecord,
  AttemptRecord,
  BackOffRecord,
  ContainerTrack,
  DecisionRecord,
  InterventionRecord,
  KubernetesEventRecord,
  PodTrack,
  ProbeRecord,
  SpanRecord,
  StopRecord,
  SyncRecord,
  SyncResultRecord,
  WaitRecord,
} from '../tracks.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type WritableWith<T, Overrides> = Writable<Omit<T, keyof Overrides>> & Overrides;

export type MutableSpan = WritableWith<
  SpanRecord,
  { children: number[]; decisions: DecisionRecord[]; interventions: InterventionRecord[] }
>;
export type MutableAttempt = Writable<AttemptRecord>;
export type MutableActivity = Writable<ActivityRecord>;
type MutableStop = Writable<StopRecord>;
export type MutableSync = WritableWith<SyncRecord, { results: SyncResultRecord[] }>;
export type MutableContainer = WritableWith<
  ContainerTrack,
  { attempts: MutableAttempt[]; activities: MutableActivity[]; backOffs: BackOffRecord[]; waits: WaitRecord[] }
>;
export type MutablePod = WritableWith<
  PodTrack,
  {
    sandbox: MutableContainer;
    containers: MutableContainer[];
    syncs: MutableSync[];
    events: KubernetesEventRecord[];
    phases: PodTrack['phases'][number][];
    stops: MutableStop[];
    interventions: InterventionRecord[];
    probes: Writable<ProbeRecord>[];
  }
>;

/** The name of sandboxes, as in dockershim. */
export const sandboxName = 'POD';

export const newContainerTrack = (name: string, type: ContainerTrack['type']): MutableContainer => ({
  name,
  type,
  attempts: [],
  activities: [],
  backOffs: [],
  waits: [],
  version: 0,
});

/**
 * Returns the track of a pod of which only the UID is known. Until an event contains the pod's name, the UID is its
 * name.
 */
export const newPodTrack = (uid: string, time: number): MutablePod => ({
  uid,
  namespace: '',
  name: uid,
  object: undefined,
  status: undefined,
  firstTime: time,
  lastTime: time,
  deletionRequestedAt: undefined,
  deletedAt: undefined,
  sandbox: newContainerTrack(sandboxName, 'sandbox'),
  containers: [],
  syncs: [],
  events: [],
  phases: [],
  stops: [],
  interventions: [],
  probes: [],
  stoppedAt: undefined,
  version: 0,
});

export const newAttempt = (id: string, attempt: number): MutableAttempt => ({
  id,
  attempt,
  createdAt: undefined,
  startedAt: undefined,
  finishedAt: undefined,
  finishedFrom: undefined,
  removedAt: undefined,
  state: 'unknown',
  exitCode: undefined,
  reason: undefined,
  message: undefined,
  image: undefined,
  ip: undefined,
  sandbox: undefined,
});

export const newActivity = (
  kind: ActivityRecord['kind'],
  span: number,
  start: number,
  detail: string,
): MutableActivity => ({
  kind,
  span,
  start,
  end: undefined,
  outcome: undefined,
  detail,
  progress: undefined,
  layers: undefined,
});

/**
 * Returns the track of the container with this name. If the container isn't in the spec, or the spec is unknown, adds a
 * track at the end of the list.
 */
export function containerOf(
  pod: MutablePod,
  name: string,
  type: ContainerTrack['type'] = 'container',
): MutableContainer {
  if (name === sandboxName) return pod.sandbox;
  let track = pod.containers.find((container) => container.name === name);
  if (!track) {
    track = newContainerTrack(name, type);
    pod.containers.push(track);
  }
  return track;
}

/** Increments the version of a container's track. */
export const touch = (track: MutableContainer): void => void track.version++;
