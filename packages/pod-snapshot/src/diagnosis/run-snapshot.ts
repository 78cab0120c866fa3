/** Builds the snapshot of a pod from the fold of a run: of this node, of a live cluster, or of an observed kubelet. */
import { type ContainerState, type ContainerStatus, type Pod, readObject } from '@podscope/k8s';
import {
  type AttemptRecord,
  type Attributes,
  type ContainerTrack,
  currentBackOff,
  type Instant,
  instant,
  type PodTrack,
  type RunFold,
  textAt,
} from '@podscope/trace';
import type { PodSnapshot, SnapshotEvent } from '../pod-snapshot.ts';
import type { KnownBackOff } from './pod-case.ts';
import { failuresAtEnd, probeKillsOf, restartedByKubelet } from './probe-kills.ts';

const none: Attributes = {};
/**
 * Caches the pods that were read. Reading one costs more than the rest of a diagnosis, and the objects of a run never
 * change.
 */
const pods = new WeakMap<Attributes, WeakMap<Attributes, { readonly pod: Pod | undefined }>>();

/** Returns the pod of a track; undefined if its object isn't a valid pod. */
function podOf({ object, status }: PodTrack): Pod | undefined {
  if (object === undefined) return undefined;
  const byStatus = pods.get(object) ?? new WeakMap<Attributes, { readonly pod: Pod | undefined }>();
  pods.set(object, byStatus);
  const key = status ?? none;
  let known = byStatus.get(key);
  if (!known) {
    const { object: pod } = readObject('Pod', status ? { ...object, status } : object, { as: 'existing' });
    byStatus.set(key, (known = { pod }));
  }
  return known.pod;
}

/** How long the API keeps events, in milliseconds. Upstream: --event-ttl. */
const eventTTL = 3_600_000;

/** Returns the events that the API still stores. Each event occurs once, with its count. */
function eventsOf({ events }: PodTrack, now: number): readonly SnapshotEvent[] {
  const merged = new Map<string, SnapshotEvent>();
  for (const { time, type, reason, message, container, count } of events) {
    if (time < now - eventTTL || time > now) continue;
    const key = `${type} ${reason} ${container ?? ''} ${message}`;
    const known = merged.get(key);
    // Moves the newest occurrence to the end of the map.
    merged.delete(key);
    merged.set(key, {
      type,
      reason,
      message,
      container,
      count: Math.max(count, (known?.count ?? 0) + 1),
      first: known?.first ?? instant(time),
      last: instant(time),
    });
  }
  return [...merged.values()];
}

/** Returns the pod of a run at an instant; undefined without a valid pod object. */
export function snapshotOf(track: PodTrack, now: Instant): PodSnapshot | undefined {
  const pod = podOf(track);
  return pod && { pod, events: eventsOf(track, now), observedAt: now };
}

/** Returns the active back-offs by container. The header of the pod shows the same back-offs. */
export const backOffsOf = ({ containers }: PodTrack, now: number): Readonly<Record<string, KnownBackOff>> =>
  Object.fromEntries(
    containers.flatMap((track) => {
      const backOff = currentBackOff(track, now);
      if (!backOff) return [];
      const { container, kind, seconds, until } = backOff;
      return [[container, { kind, at: instant(until), wait: seconds * 1_000 }]];
    }),
  );

/** Returns true for a pod that was deleted before `now`. */
export const isDeleted = ({ deletedAt }: PodTrack, now: number): boolean => deletedAt !== undefined && deletedAt <= now;

const timeText = (ms: number): string => new Date(ms).toISOString();

/** Returns the state that the kubelet will report for an instance; undefined before its start. */
function stateOf({ startedAt, finishedAt, exitCode = 0, reason, message }: AttemptRecord): ContainerState | undefined {
  if (startedAt === undefined) return undefined;
  if (finishedAt === undefined) return { running: { startedAt: timeText(startedAt) } };
  return {
    terminated: {
      exitCode,
      reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
      message: message ?? '',
      startedAt: timeText(startedAt),
      finishedAt: timeText(finishedAt),
    },
  };
}

/**
 * Returns a status with the instances that the run shows: they can be newer than those that the kubelet has reported,
 * and their times are exact.
 */
function caughtUp(status: ContainerStatus, { attempts }: ContainerTrack): ContainerStatus {
  const newest = attempts.findLast(({ startedAt }) => startedAt !== undefined);
  const state = newest && stateOf(newest);
  const isStarting = attempts.some(({ attempt }) => attempt === status.restartCount);
  if (!newest || !state || (newest.attempt < status.restartCount && !isStarting)) return status;
  // A container that waits for its restart: the newest instance is the last one.
  if (newest.attempt === status.restartCount && status.state?.waiting && status.lastState?.terminated)
    return state.terminated ? { ...status, lastState: state } : status;
  const before = attempts.findLast(({ attempt }) => attempt < newest.attempt);
  const lastState = before && stateOf(before);
  return {
    ...status,
    state,
    lastState: lastState?.terminated ? lastState : (status.lastState ?? {}),
    restartCount: newest.attempt,
    ready: status.ready && state.running !== undefined,
  };
}

/**
 * Returns the pod with the instances that the run shows. A kubelet reports its statuses some time after the runtime's
 * changes, so the runtime's state can be newer.
 */
function withInstances(pod: Pod, { containers }: PodTrack): Pod {
  const { status = {} } = pod;
  const update = (statuses: readonly ContainerStatus[] = []): readonly ContainerStatus[] =>
    statuses.map((each) => {
      const track = containers.find(({ name }) => name === each.name);
      return track ? caughtUp(each, track) : each;
    });
  return {
    ...pod,
    // A pod that was inferred from calls has no node in its spec.
    spec: { ...pod.spec, nodeName: pod.spec.nodeName ?? 'node' },
    status: {
      ...status,
      initContainerStatuses: update(status.initContainerStatuses),
      containerStatuses: update(status.containerStatuses),
    },
  };
}

const probeWords = { liveness: 'Liveness', startup: 'Startup' } as const;

/** Returns the event for failed attempts of a probe, as the kubelet reports them. */
function unhealthy(
  container: string,
  kind: keyof typeof probeWords,
  attempts: { readonly count: number; readonly first: number; readonly last: number },
): SnapshotEvent {
  const [first, last] = [instant(attempts.first), instant(attempts.last)];
  return {
    type: 'Warning',
    reason: 'Unhealthy',
    message: `${probeWords[kind]} probe failed`,
    container,
    count: attempts.count,
    first,
    last,
  };
}

/**
 * Returns the kills because of failed probes, with the failures, as the kubelet's events report them. The calls show
 * these kills, and the events are missing while no API server is connected.
 */
function killsOf(fold: RunFold, track: PodTrack, pod: Pod, now: number): readonly SnapshotEvent[] {
  return Object.entries(probeKillsOf(fold, track, pod, now)).flatMap(([container, { kind, failures = 1 }]) => {
    const stops = (track.containers.find(({ name }) => name === container)?.activities ?? []).flatMap((activity) => {
      const span = activity.kind === 'stop' ? fold.span(activity.span) : undefined;
      return span && span.start <= now ? [span] : [];
    });
    const [first, last] = [stops[0], stops.at(-1)];
    if (!first || !last) return [];
    return [
      unhealthy(container, kind, { count: failures, first: last.start, last: last.start }),
      {
        type: 'Normal',
        reason: 'Killing',
        message: `Container ${container} failed ${kind} probe, will be restarted`,
        container,
        count: new Set(stops.map(({ attributes }) => textAt(attributes, 'request', 'containerId'))).size,
        first: instant(first.start),
        last: instant(last.start),
      },
    ];
  });
}

/** Returns the failures of probes in the running instances as the kubelet's events report them. */
function failuresOf({ containers, probes, events }: PodTrack, now: number): readonly SnapshotEvent[] {
  return containers.flatMap(({ name, attempts }) => {
    const running = attempts.findLast(({ state }) => state === 'running');
    const isTold = events.some(({ reason, container = name }) => reason === 'Unhealthy' && container === name);
    if (running?.startedAt === undefined || isTold) return [];
    const { startedAt } = running;
    return (['liveness', 'startup'] as const).flatMap((kind) => {
      const own = probes.filter(
        ({ container, type, start }) => container === name && type === kind && start >= startedAt && start <= now,
      );
      const count = failuresAtEnd(own);
      const [first, last] = [own.at(-count), own.at(-1)];
      return count > 0 && first && last ? [unhealthy(name, kind, { count, first: first.start, last: last.start })] : [];
    });
  });
}

/** A pod of a run at an instant, with the facts that a forecast needs. It is plain data, which a worker can receive. */
export interface RunSnapshot {
  readonly snapshot: PodSnapshot;
  readonly backOffs: Readonly<Record<string, KnownBackOff>>;
  /** Whether the spec is inferred from calls, because no source reported it. */
  readonly isInferred: boolean;
  /**
   * The containers that the kubelet restarts for a cause that the inferred spec lacks, such as a probe. Empty if the
   * spec isn't inferred.
   */
  readonly unexplained: readonly string[];
}

/**
 * Returns a pod of an observed kubelet for a forecast; undefined if the pod is deleted, or if its containers aren't
 * known.
 * @param now in milliseconds since the Unix epoch
 */
export function snapshotOfRun(fold: RunFold, track: PodTrack, now: number): RunSnapshot | undefined {
  const snapshot = isDeleted(track, now) ? undefined : snapshotOf(track, instant(now));
  if (!snapshot || snapshot.pod.spec.containers.length === 0) return undefined;
  const events = [...snapshot.events, ...killsOf(fold, track, snapshot.pod, now), ...failuresOf(track, now)].toSorted(
    (a, b) => a.last - b.last,
  );
  const pod = withInstances(snapshot.pod, track);
  const isInferred = snapshot.pod.spec.nodeName === undefined;
  return {
    snapshot: { ...snapshot, pod, events },
    backOffs: backOffsOf(track, now),
    isInferred,
    unexplained: isInferred ? restartedByKubelet(fold, track, now) : [],
  };
}
