/**
 * Finds in the kubelet's `Killing` events which container instances it killed. The exit of a killed instance doesn't
 * show how the program itself behaves.
 */
import { addMilliseconds, type Instant, type Milliseconds } from '@podscope/trace';
import type { PastInstance } from './past-instances.ts';
import type { PodSnapshot, SnapshotEvent } from './pod-snapshot.ts';

/** The resolution of the times in events and statuses, in ms. */
const resolution: Milliseconds = 1_000;

/** Returns the container of an event, from its field path or its message. */
function containerOf({ container, message }: SnapshotEvent): string | undefined {
  return container ?? /^(?:Stopping container|Container) (\S+)/.exec(message)?.[1];
}

/** Returns the `Killing` events of a container, the newest last. */
export const killsOf = ({ events }: PodSnapshot, name: string): readonly SnapshotEvent[] =>
  events.filter((event) => event.reason === 'Killing' && (containerOf(event) ?? name) === name);

/**
 * Returns the `Killing` event of an instance; undefined if it wasn't killed. If the instance is running, the kill is in
 * progress.
 */
export function killOf(snapshot: PodSnapshot, { container, startedAt, end }: PastInstance): SnapshotEvent | undefined {
  // An event in the same second as the start may belong to the previous instance.
  const [from, to] = end ? [startedAt, end.at + resolution] : [startedAt + resolution, Number.POSITIVE_INFINITY];
  return killsOf(snapshot, container.name).findLast(({ last }) => last >= from && last <= to);
}

/** The kubelet's kill of an instance. */
export interface PastKill {
  /** When the stop signal was sent. */
  readonly at: Instant;
  /** The failed probe that caused the kill; undefined for another cause. */
  readonly probe: 'liveness' | 'startup' | undefined;
}

/**
 * Returns the kill that ended an instance; undefined if the instance exited by itself. The API merges equal events into
 * one object with the newest time, and drops frequent ones. So the kill of an older instance is inferred, in one of two
 * ways: the counts show that every instance was killed, or the exit code is the one of a killed process.
 */
export function pastKillOf(snapshot: PodSnapshot, instance: PastInstance): PastKill | undefined {
  const { container, attempt, end } = instance;
  if (!end || end.reason === 'OOMKilled') return undefined;
  const event = killOf(snapshot, instance);
  if (event) return { at: event.last, probe: probeOfKill(event) };
  const probe = container.livenessProbe ? 'liveness' : container.startupProbe ? 'startup' : undefined;
  const restarts = killsOf(snapshot, container.name).filter(isKillForRestart);
  const [newest] = restarts.slice(-1);
  const wereAllKilled = restarts.reduce((sum, { count }) => sum + count, 0) > attempt;
  const looksKilled =
    (end.exitCode === 137 || end.exitCode === 143) &&
    probe !== undefined &&
    (newest !== undefined || snapshot.events.length === 0);
  if (!wereAllKilled && !looksKilled) return undefined;
  const grace = end.exitCode === 137 ? graceOf(snapshot, instance, newest && probeOfKill(newest)) : 0;
  const at = addMilliseconds(end.at, -grace);
  return { at: at < instance.startedAt ? instance.startedAt : at, probe: (newest && probeOfKill(newest)) ?? probe };
}

/** Returns whether the container is restarted after the kill. The same sync restarts it, without a back-off. */
export const isKillForRestart = ({ message }: SnapshotEvent): boolean => message.endsWith('will be restarted');

/** Returns the failed probe that a kill event names; undefined if it names none. */
export const probeOfKill = ({ message }: SnapshotEvent): 'liveness' | 'startup' | undefined =>
  / failed (liveness|startup) probe/.exec(message)?.[1] as 'liveness' | 'startup' | undefined;

/** Returns when the grace period of a kill ends. */
export function deadlineOf({ pod }: PodSnapshot, { container }: PastInstance, kill: SnapshotEvent): Instant {
  return addMilliseconds(kill.last, graceOf({ pod }, { container }, probeOfKill(kill)));
}

/** Returns the grace period of an instance in milliseconds. Upstream: setTerminationGracePeriod (v1.36). */
function graceOf(
  { pod }: Pick<PodSnapshot, 'pod'>,
  { container }: Pick<PastInstance, 'container'>,
  probe: PastKill['probe'],
): Milliseconds {
  const { metadata, spec } = pod;
  const own = probe === 'liveness' ? container.livenessProbe : probe === 'startup' ? container.startupProbe : undefined;
  const seconds =
    (metadata.deletionTimestamp ? metadata.deletionGracePeriodSeconds : undefined) ??
    own?.terminationGracePeriodSeconds ??
    spec.terminationGracePeriodSeconds ??
    30;
  return seconds * 1_000;
}
