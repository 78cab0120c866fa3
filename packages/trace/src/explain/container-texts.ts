/** Summarizes the state of a pod's sandbox and of each container in a few sentences. */
import { currentBackOff } from '../folds/describe-pod.ts';
import type { AttemptRecord, ContainerTrack, PodTrack } from '../folds/tracks.ts';
import { type ExplainMessageId, type ExplainText, nest, textOf } from './text.ts';

/** Formats milliseconds as `850 ms`, `2.4 s` or `3 min 20 s`. */
function lengthInWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats an instant as clock time in UTC. */
export const clockTime = (time: number): string => new Date(time).toISOString().slice(11, 19);

/** Returns a text with a time as its value. */
const timed = (id: ExplainMessageId, values: ExplainText['values'], time: number): ExplainText => ({
  ...textOf(id, { ...values, time: clockTime(time) }),
  instants: { time },
});

const states = {
  created: 'stateCreated',
  running: 'stateRunning',
  exited: 'stateExited',
  unknown: 'stateUnknown',
  removed: 'stateRemoved',
} as const satisfies Readonly<Record<AttemptRecord['state'], string>>;

/** Inserts texts into another text at named places. A text that is undefined becomes empty. */
function fill(text: ExplainText, places: Readonly<Record<string, ExplainText | undefined>>): ExplainText {
  const nested = Object.fromEntries(Object.entries(places).flatMap(([name, place]) => (place ? [[name, place]] : [])));
  const empty = Object.fromEntries(Object.entries(places).flatMap(([name, place]) => (place ? [] : [[name, '']])));
  return nest({ ...text, values: { ...text.values, ...empty } }, nested);
}

function newest({ name, attempts }: ContainerTrack): ExplainText | undefined {
  const attempt = attempts.at(-1);
  const starts = attempts.filter(({ startedAt }) => startedAt !== undefined).length;
  if (!attempt) return textOf('containerNever', { container: name });
  if (attempt.state === 'running' && attempt.startedAt !== undefined)
    return timed('containerRuns', { container: name, attempt: attempt.attempt }, attempt.startedAt);
  if (attempt.state === 'created') return textOf('containerCreated', { container: name, attempt: attempt.attempt });
  if (attempt.finishedAt === undefined) return undefined;
  const { startedAt, finishedAt, exitCode, reason } = attempt;
  return fill(timed('containerEnded', { container: name, reason: reason ? ` (${reason})` : '' }, finishedAt), {
    ran:
      startedAt === undefined ? undefined : textOf('containerRan', { length: lengthInWords(finishedAt - startedAt) }),
    code: exitCode === undefined ? undefined : textOf('containerCode', { code: exitCode }),
    starts: starts > 1 ? textOf('containerStarts', { count: starts }) : undefined,
  });
}

function failure({ name, activities }: ContainerTrack): ExplainText | undefined {
  const failed = activities.findLast(({ outcome }) => outcome === 'error');
  if (
    !failed ||
    activities.some(({ kind, outcome, start }) => kind === failed.kind && outcome === 'ok' && start > failed.start)
  )
    return undefined;
  const { kind, end, start, detail } = failed;
  return timed(
    'containerFailed',
    { container: name, activity: kind, detail: detail ? ` (${detail})` : '' },
    end ?? start,
  );
}

function wait(track: ContainerTrack, now: number): ExplainText | undefined {
  const backOff = currentBackOff(track, now);
  if (!backOff) return undefined;
  const { kind, seconds, until, remaining } = backOff;
  return nest(
    timed(
      kind === 'image' ? 'containerWaitsPull' : 'containerWaitsStart',
      { container: track.name, length: lengthInWords(seconds * 1_000) },
      until,
    ),
    { left: remaining > 0 ? textOf('waitLeft', { length: lengthInWords(remaining) }) : textOf('waitOver') },
  );
}

function shown({ name, waits }: ContainerTrack): ExplainText | undefined {
  const { reason, message } = waits.at(-1) ?? {};
  return reason
    ? textOf('containerShown', { container: name, reason, message: message ? `: ${message}` : '' })
    : undefined;
}

/**
 * Returns the texts about the sandbox and each container.
 * @param now in milliseconds since the Unix epoch
 */
export function containerTexts({ sandbox, containers }: PodTrack, now: number): readonly ExplainText[] {
  const texts = containers.flatMap((track) =>
    [newest(track), failure(track), wait(track, now), shown(track)].filter((text) => text !== undefined),
  );
  const attempt = sandbox.attempts.at(-1);
  if (!attempt) return texts;
  const { state, ip } = attempt;
  const own = fill(textOf('sandboxNow', { attempt: attempt.attempt }), {
    state: textOf(states[state]),
    address: ip ? textOf('sandboxAddress', { ip }) : undefined,
  });
  return [own, ...texts];
}
