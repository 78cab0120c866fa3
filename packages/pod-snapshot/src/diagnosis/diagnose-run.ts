/** Diagnoses a pod of a run: of this node, of a live cluster, or of a recorded file. */
import { type Pod, readObject } from '@podscope/k8s';
import { type Attributes, currentBackOff, type Instant, instant, type PodTrack, type RunFold } from '@podscope/trace';
import { type Diagnosis, sandboxChangeDiagnosis, stoppedDiagnosis } from '@podscope/trace/explain';
import type { PodSnapshot, SnapshotEvent } from '../pod-snapshot.ts';
import { diagnoseSnapshot } from './diagnose.ts';
import type { ClusterFacts, KnownBackOff } from './pod-case.ts';
import { probeKillsOf } from './probe-kills.ts';

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
function snapshotOf(track: PodTrack, now: Instant): PodSnapshot | undefined {
  const pod = podOf(track);
  return pod && { pod, events: eventsOf(track, now), observedAt: now };
}

/** How long a pod may take to start before the wait is diagnosed, in ms. */
const startAllowance = 30_000;

/** Returns the active back-offs by container. The header of the pod shows the same back-offs. */
const backOffsOf = ({ containers }: PodTrack, now: number): Readonly<Record<string, KnownBackOff>> =>
  Object.fromEntries(
    containers.flatMap((track) => {
      const backOff = currentBackOff(track, now);
      if (!backOff) return [];
      const { container, kind, seconds, until } = backOff;
      return [[container, { kind, at: instant(until), wait: seconds * 1_000 }]];
    }),
  );

const isStarting = ({ reason, severity }: Diagnosis): boolean =>
  severity === 'waiting' && (reason === 'ContainerCreating' || reason === 'PodInitializing');

/** Facts that the log of a run doesn't contain. */
interface RunFacts {
  /** The node of a run on this machine. Commands for that node run on this machine. */
  readonly node?: { readonly name: string; readonly runtime: 'docker' | 'crictl' } | undefined;
  /** The last log lines of each container's newest instance (ended or running), by container name. */
  readonly logs?: Readonly<Record<string, string>>;
}

const hooks: Readonly<Record<string, 'postStart' | 'preStop'>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/**
 * Returns the error of the newest hook that failed. The error is needed because the event of v1.36 contains neither the
 * exit code nor the output.
 */
function hookError(fold: RunFold, { containers }: PodTrack, { reason, container }: Diagnosis): string | undefined {
  const kind = hooks[reason];
  const own = kind && containers.find(({ name }) => name === container);
  const failed = own?.activities.findLast((activity) => activity.kind === kind && activity.outcome === 'error');
  return failed && fold.span(failed.span)?.error?.message;
}

/** Returns the errors of the newest postStart hooks that failed, by container. A genuine kubelet's calls show them. */
const failedHooksOf = (fold: RunFold, { containers }: PodTrack): Readonly<Record<string, string>> =>
  Object.fromEntries(
    containers.flatMap(({ name, activities }) => {
      const hook = activities.findLast(({ kind }) => kind === 'postStart');
      return hook?.outcome === 'error' ? [[name, fold.span(hook.span)?.error?.message ?? '']] : [];
    }),
  );

/** Returns a diagnosis whose messages don't repeat the log, because the page shows the log next to them. */
function withoutLog(diagnosis: Diagnosis, logs: Readonly<Record<string, string>>): Diagnosis {
  const log = logs[diagnosis.container ?? ''];
  if (!log || diagnosis.said === undefined) return diagnosis;
  const { said, ...rest } = diagnosis;
  const left = said.replace(log.trim(), '').trim();
  return left === '' ? rest : { ...rest, said: left };
}

/**
 * Returns the problems of a pod of a run, the most important first; empty for a healthy or deleted pod.
 * @param now in milliseconds since the Unix epoch
 */
export function diagnosePodOfRun(
  fold: RunFold,
  track: PodTrack,
  now: number,
  { node, logs = {} }: RunFacts = {},
): readonly Diagnosis[] {
  if (track.deletedAt !== undefined && track.deletedAt <= now) return [];
  const stopped = stoppedDiagnosis(track);
  const snapshot = snapshotOf(track, instant(now));
  const cluster: ClusterFacts = {
    logs,
    backOffs: backOffsOf(track, now),
    failedHooks: failedHooksOf(fold, track),
    ...(snapshot ? { probeKills: probeKillsOf(fold, track, snapshot.pod, now) } : {}),
    ...(node && snapshot?.pod.spec.nodeName === node.name ? { isThisMachine: true, runtime: node.runtime } : {}),
  };
  const all = snapshot ? diagnoseSnapshot(snapshot, cluster).diagnoses : [];
  const found = (now - track.firstTime < startAllowance ? all.filter((each) => !isStarting(each)) : all).map((each) => {
    const said = hookError(fold, track, each);
    return withoutLog(said === undefined ? each : { ...each, said }, logs);
  });
  const isOfPod = found.some(({ container }) => container === undefined);
  const change = isOfPod ? undefined : sandboxChangeDiagnosis(fold, track, now);
  return [...(stopped ? [stopped] : []), ...found, ...(change ? [change] : [])];
}
