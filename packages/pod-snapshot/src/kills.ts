/** What the kubelet itself ended, as its `Killing` events tell it: such an instance says nothing of how its program ends by itself. */
import { addMilliseconds, type Instant, type Milliseconds } from '@podscope/trace';
import type { PastLife } from './past-lives.ts';
import type { PodSnapshot, SnapshotEvent } from './read-snapshots.ts';

/** Times of events and statuses have no parts of a second. */
const grain: Milliseconds = 1_000;

/** The container that an event is about: its field path says it, else its text. */
function containerOf({ container, message }: SnapshotEvent): string | undefined {
  return container ?? /^(?:Stopping container|Container) (\S+)/.exec(message)?.[1];
}

/** Every `Killing` event of a container, the newest last. */
export const killsOf = ({ events }: PodSnapshot, name: string): readonly SnapshotEvent[] =>
  events.filter((event) => event.reason === 'Killing' && (containerOf(event) ?? name) === name);

/** The kubelet's kill of this instance; undefined where the events tell of none. Of one that runs, it has yet to take effect. */
export function killOf(snapshot: PodSnapshot, { container, startedAt, end }: PastLife): SnapshotEvent | undefined {
  // The kill of the instance before may be in the second in which this one started.
  const [from, to] = end ? [startedAt, end.at + grain] : [startedAt + grain, Number.POSITIVE_INFINITY];
  return killsOf(snapshot, container.name).findLast(({ last }) => last >= from && last <= to);
}

/** How an instance was ended by the kubelet. */
export interface PastKill {
  /** When it was told to stop. */
  readonly at: Instant;
  /** For the failing of this probe. */
  readonly probe: 'liveness' | 'startup' | undefined;
}

/**
 * The kill that ended an instance. Events tell it; but those of one kind are one object with the time of the newest, and others are throttled,
 * so that for all but the newest it has to be inferred: every instance there was has been killed, or this one ended as a killed one does.
 */
export function pastKillOf(snapshot: PodSnapshot, life: PastLife): PastKill | undefined {
  const { container, attempt, end } = life;
  if (!end || end.reason === 'OOMKilled') return undefined;
  const told = killOf(snapshot, life);
  if (told) return { at: told.last, probe: probeOfKill(told) };
  const probe = container.livenessProbe ? 'liveness' : container.startupProbe ? 'startup' : undefined;
  const restarts = killsOf(snapshot, container.name).filter(isKillForRestart);
  const [newest] = restarts.slice(-1);
  const wereAll = restarts.reduce((sum, { count }) => sum + count, 0) > attempt;
  const looksSo = (end.exitCode === 137 || end.exitCode === 143) && probe !== undefined && (newest !== undefined || snapshot.events.length === 0);
  if (!wereAll && !looksSo) return undefined;
  const grace = end.exitCode === 137 ? graceOf(snapshot, life, newest && probeOfKill(newest)) : 0;
  const at = addMilliseconds(end.at, -grace);
  return { at: at < life.startedAt ? life.startedAt : at, probe: (newest && probeOfKill(newest)) ?? probe };
}

/** Those of a container that is to run on: the kubelet kills and starts again in one sync, without a look at the back-off in between. */
export const isKillForRestart = ({ message }: SnapshotEvent): boolean => message.endsWith('will be restarted');

/** The probe whose failing a kill is for. */
export const probeOfKill = ({ message }: SnapshotEvent): 'liveness' | 'startup' | undefined =>
  / failed (liveness|startup) probe/.exec(message)?.[1] as 'liveness' | 'startup' | undefined;

/** When an instance that is being killed is killed at the latest. */
export function deadlineOf({ pod }: PodSnapshot, { container }: PastLife, kill: SnapshotEvent): Instant {
  return addMilliseconds(kill.last, graceOf({ pod }, { container }, probeOfKill(kill)));
}

/** How long an instance has got to end by itself. Upstream: setTerminationGracePeriod (v1.36). */
function graceOf({ pod }: Pick<PodSnapshot, 'pod'>, { container }: Pick<PastLife, 'container'>, probe: PastKill['probe']): Milliseconds {
  const { metadata, spec } = pod;
  const own = probe === 'liveness' ? container.livenessProbe : probe === 'startup' ? container.startupProbe : undefined;
  const seconds =
    (metadata.deletionTimestamp ? metadata.deletionGracePeriodSeconds : undefined) ??
    own?.terminationGracePeriodSeconds ??
    spec.terminationGracePeriodSeconds ??
    30;
  return seconds * 1_000;
}
