/**
 * Compares containers on the engine. Creates and starts must occur in the same order. Kills and exits are compared as
 * sets, because containers are stopped concurrently.
 */
import { type EngineEvent, isCrashLoop, type Recording } from '../recording.ts';
import type { Compare } from './comparison.ts';

const key = ({ container, attempt }: EngineEvent): string => `${container}#${attempt}`;

/** Formats an event such as `create app#1`. */
const line = (event: EngineEvent): string => `${event.action} ${key(event)}`;

const order = (events: readonly EngineEvent[]): readonly string[] =>
  events.filter(({ action }) => action === 'create' || action === 'start').map(line);

/** Returns the signals and exit codes of a container. */
function endOf(
  events: readonly EngineEvent[],
  container: string,
): { readonly codes: string; readonly signals: string } {
  const own = events.filter((event) => key(event) === container);
  const codes = own.filter(({ action }) => action === 'die').map(({ exitCode }) => exitCode ?? '');
  const signals = own.filter(({ action }) => action === 'kill').map(({ signal }) => signal ?? '');
  // Two stops of a sandbox at the same time may both signal it.
  return { codes: codes.join(','), signals: [...new Set(signals)].join(',') };
}

export const compareEngine: Compare = ({ recording, seen }) => {
  const theirs = order(recording.engineEvents);
  const ours = order(seen.trace.events);
  const differences: string[] = [];
  const at = theirs.findIndex((text, index) => text !== ours[index]);
  if (at >= 0 && !isLoopTail(recording, theirs.slice(at), ours.slice(at))) {
    differences.push(
      `engine, step ${at + 1}: recorded ${JSON.stringify(theirs[at])}, here ${JSON.stringify(ours[at] ?? 'nothing')}`,
    );
  } else if (at < 0 && ours.length > theirs.length && !isLoopTail(recording, [], ours.slice(theirs.length))) {
    differences.push(
      `engine, step ${theirs.length + 1}: recorded nothing, here ${JSON.stringify(ours[theirs.length])}`,
    );
  }
  const both = [...new Set(recording.engineEvents.filter(({ action }) => action === 'start').map(key))].filter((name) =>
    seen.trace.events.some((event) => key(event) === name),
  );
  for (const name of both) differences.push(...endDiffers(recording, seen.trace.events, name, seen.keepsCgroups));
  return differences;
};

/** Returns whether the only difference is one restart at the end of a crash loop. */
const isLoopTail = (recording: Recording, theirs: readonly string[], ours: readonly string[]): boolean =>
  isCrashLoop(recording) &&
  theirs.length + ours.length <= 2 &&
  [...theirs, ...ours].every((text) => !text.endsWith('#0'));

function endDiffers(
  recording: Recording,
  ours: readonly EngineEvent[],
  name: string,
  keepsCgroups: boolean,
): readonly string[] {
  const there = endOf(recording.engineEvents, name);
  const here = endOf(ours, name);
  if (isRace(recording, ours, name, keepsCgroups)) return [];
  const differences: string[] = [];
  if (there.codes !== here.codes)
    differences.push(`${name}: recorded exit code ${there.codes || 'none'}, here ${here.codes || 'none'}`);
  if (there.signals !== here.signals)
    differences.push(`${name}: recorded signals ${there.signals || 'none'}, here ${here.signals || 'none'}`);
  return differences;
}

/** Returns when the pod was ended from outside: its manifest was removed or replaced, or its deadline was exceeded. */
const removals = (recording: Recording): readonly number[] => [...manifestRemovals(recording), ...deadline(recording)];

/** Returns the time at which `activeDeadlineSeconds` ended the pod; empty if it didn't. */
const deadline = ({ events }: Recording): readonly number[] =>
  events.filter(({ reason }) => reason === 'DeadlineExceeded').map(({ t }) => t);

const manifestRemovals = ({ actions, pod }: Recording): readonly number[] =>
  actions
    .filter(
      ({ action }) =>
        /^manifest (removed|deleted)/.test(action) || (pod.uids.length > 1 && action.startsWith('manifest replaced')),
    )
    .map(({ t }) => t);

/**
 * Returns whether the exit of a container is a race. A pod without volumes that is removed, or that exceeds its
 * deadline, is stopped twice: by the pod killer with the grace period, and by the removal of its cgroup up to two
 * seconds later. Either may end a container first.
 */
function isRace(recording: Recording, ours: readonly EngineEvent[], name: string, keepsCgroups: boolean): boolean {
  const hasVolumes = Array.isArray(recording.manifest.spec['volumes']) && recording.manifest.spec['volumes'].length > 0;
  if (hasVolumes && keepsCgroups) return false;
  const last = (events: readonly EngineEvent[], action: string): number | undefined =>
    events.findLast((event) => key(event) === name && event.action === action)?.t;
  const started = last(recording.engineEvents, 'start') ?? 0;
  const endedAfter = (events: readonly EngineEvent[], removed: number): boolean =>
    (last(events, 'die') ?? removed) >= removed;
  return removals(recording).some(
    (removed) => started < removed && endedAfter(recording.engineEvents, removed) && endedAfter(ours, removed),
  );
}
