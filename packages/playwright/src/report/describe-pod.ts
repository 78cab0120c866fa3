/** Formats a pod's state and history for the message of a failed expectation. */
import type { PodState } from '../node/pod.ts';

/** The maximum number of timeline entries in a message. */
const most = 16;

interface TimelineEntry {
  readonly at: number;
  readonly text: string;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Returns the pod's history in chronological order. */
function timelineEntries({ phases, containers, results, events }: PodState): readonly TimelineEntry[] {
  const attempts = containers.flatMap(({ name, attempts: all }) =>
    all.flatMap(({ attempt, startedAt, finishedAt, exitCode }): readonly TimelineEntry[] => [
      ...(startedAt === undefined ? [] : [{ at: startedAt, text: `${name}: attempt ${attempt} started` }]),
      ...(finishedAt === undefined
        ? []
        : [
            {
              at: finishedAt,
              text: `${name}: attempt ${attempt} ended${exitCode === undefined ? '' : ` with exit code ${exitCode}`}`,
            },
          ]),
    ]),
  );
  return [
    ...phases.map(({ at, phase }) => ({ at, text: `phase ${phase}` })),
    ...attempts,
    ...results.map(({ at, sync, action, target, error, message }) => ({
      at,
      text:
        `sync ${sync}: ${action} ` +
        `${target}${error === undefined ? '' : `: ${error}${message ? `: ${message}` : ''}`}`,
    })),
    ...events.map(({ at, type, reason, message }) => ({ at, text: `${type} ${reason}: ${message}` })),
  ].toSorted((a, b) => a.at - b.at);
}

/** Formats the state, a line for each container, and the timeline in seconds since the page first observed the pod. */
export function describePod(state: PodState): string {
  const { phase, status, ready, total, restarts, isGone, stoppedAt, age } = state;
  const containers = state.containers.map(({ name, state: now, attempt, exitCode, reason, backOff }) => {
    const details = [
      exitCode === undefined ? '' : `exit code ${exitCode}`,
      reason ?? '',
      backOff ? `${backOff.kind} back-off ${backOff.seconds} s` : '',
    ];
    return `  ${[`${name}: ${now}`, `attempt ${attempt}`, ...details.filter(Boolean)].join(', ')}`;
  });
  const all = timelineEntries(state);
  const reported = all.slice(-most);
  const width = seconds(reported.at(-1)?.at ?? 0).length;
  return [
    `phase ${phase || 'none'}, ${status}, ${ready}/${total} ready, ` +
      `${count(restarts, 'restart')}${isGone ? ', gone' : ''}, after ${seconds(age)}`,
    ...containers,
    ...(stoppedAt ? [`  stopped ${stoppedAt.phase} ${stoppedAt.point}`] : []),
    ...(all.length > reported.length ? [`  … ${all.length - reported.length} before`] : []),
    ...reported.map(({ at, text }) => `  ${seconds(at).padStart(width)}  ${text}`),
  ].join('\n');
}

/** Formats the matching containers, or a message that the pod has no container with the wanted name. */
function ofContainers(
  { containers }: PodState,
  wanted: string | undefined,
  emit: (container: PodState['containers'][number]) => string,
): string {
  const named = containers.filter(({ name }) => wanted === undefined || name === wanted);
  if (named.length === 0)
    return `it has no container ${wanted}; it has ${containers.map(({ name }) => name).join(', ')}`;
  return named.map(emit).join(', ');
}

/** Formats the state that was observed instead of the expected one, with one function for each matcher. */
export const seen = {
  phases: ({ phases }: PodState): string =>
    phases.length === 0 ? 'it has no phase yet' : `it went through ${phases.map(({ phase }) => phase).join(', ')}`,
  status: ({ status }: PodState): string => `it shows ${status}`,
  readiness: ({ ready, total, isGone }: PodState): string =>
    isGone ? 'it is gone' : `${ready} of its ${count(total, 'container')} ${ready === 1 ? 'is' : 'are'} ready`,
  presence: ({ isGone }: PodState): string => (isGone ? 'it is gone' : 'it is there'),
  restarts: ({ restarts }: PodState): string => `it had ${count(restarts, 'restart')}`,
  results({ results }: PodState, action: string): string {
    const same = results.filter((result) => result.action === action);
    if (same.length > 0)
      return `its results of ${action} are ${same.map(({ target, error }) => `${target} ${error ?? 'ok'}`).join(', ')}`;
    return results.length === 0
      ? 'it has no SyncResult yet'
      : `its SyncResults are of ${[...new Set(results.map((result) => result.action))].join(', ')}`;
  },
  events({ events }: PodState, reason: string): string {
    const same = events.filter((event) => event.reason === reason);
    if (same.length > 0)
      return `there is ${same.map(({ type, message }) => `${type} ${reason}: ${message}`).join('; ')}`;
    return events.length === 0
      ? 'there is no event yet'
      : `its events are ${[...new Set(events.map((event) => event.reason))].join(', ')}`;
  },
  backOff: (state: PodState, container: string | undefined): string =>
    ofContainers(
      state,
      container,
      ({ name, state: now, backOff }) =>
        `${name} ${backOff ? `is in ${backOff.kind} back-off of ${backOff.seconds} s` : `is ${now}`}`,
    ),
  backOffs: (state: PodState, container: string | undefined): string =>
    ofContainers(state, container, ({ name, backOffs }) =>
      backOffs.length === 0
        ? `${name} never waited`
        : `${name} waited ${backOffs.map(({ seconds }) => `${seconds} s`).join(' and ')}`,
    ),
  stop: ({ stoppedAt }: PodState): string =>
    stoppedAt ? `it is stopped ${stoppedAt.phase} ${stoppedAt.point}` : 'it is not stopped',
};
