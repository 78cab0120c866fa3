/** `podscope explain` on what kubectl prints: why those pods are as they are, and what the kubelet will do next. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describeEntry, type Forecast, forecast, readSnapshots, snapshotTextInEnglish } from '@podscope/pod-snapshot';
import { instant } from '@podscope/trace';
import { UsageError } from '../command.ts';
import { tell } from '../say.ts';
import { asProblem, RunProblem } from './run-source.ts';

/** True for what kubectl prints, by its name; `-` is standard input. */
export const isSnapshotFile = (name: string): boolean => name === '-' || /\.(?:ya?ml|json|txt)$/i.test(name);

/** Each takes a good part of a second. */
const most = 50;

const maxBytes = 16 * 1024 ** 2;

async function read(name: string): Promise<string> {
  const content = await (name === '-' ? text(process.stdin) : readFile(name, 'utf8')).catch((error: unknown) => {
    throw asProblem(error, name);
  });
  if (content.length > maxBytes) throw new RunProblem(`${name} has ${content.length} characters; pods are read from up to ${maxBytes}`);
  return content;
}

/** The instant of `--at`. @throws UsageError */
function instantOf(at: string | undefined) {
  if (at === undefined) return undefined;
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw new UsageError(`--at ${JSON.stringify(at)} is not a time such as 2026-03-01T10:05:00Z`);
  return instant(time);
}

/** Says where a line of files that are read as one stands. */
function placesIn(names: readonly string[], texts: readonly string[]): (line: number | undefined) => string {
  return (line) => {
    if (line === undefined) return names.join(', ');
    let left = line;
    for (const [index, content] of texts.entries()) {
      const lines = content.split('\n').length - 1;
      if (left <= lines || index === texts.length - 1) return `${names[index]}:${left}`;
      // The line that parts them.
      left -= lines + 1;
    }
    return names.join(', ');
  };
}

export interface SnapshotOptions {
  readonly pod: string | undefined;
  readonly at: string | undefined;
  readonly profile: 'v1.36' | 'v1.20';
}

/**
 * Reads the pods of files and looks ahead for each; events may lie in a file of their own.
 * @throws RunProblem for a file that can't be read, or without such a pod; UsageError for an option
 */
export async function forecastFiles(names: readonly string[], { pod, at, profile }: SnapshotOptions): Promise<readonly Forecast[]> {
  const texts: string[] = [];
  for (const name of names) texts.push(`${(await read(name)).trimEnd()}\n`);
  const { snapshots, errors, notices } = readSnapshots(texts.join('---\n'));
  const placeOf = placesIn(names, texts);
  for (const { message, line, hint } of errors) tell(`podscope: ${placeOf(line)}: ${message}${hint ? ` (${hint})` : ''}`);
  const name = names.join(', ');
  for (const notice of notices) tell(`podscope: ${snapshotTextInEnglish(notice)}`);
  const wanted = snapshots.filter(
    ({ pod: { metadata } }) => pod === undefined || [metadata.uid, metadata.name, `${metadata.namespace}/${metadata.name}`].includes(pod),
  );
  if (wanted.length === 0)
    throw new RunProblem(pod === undefined ? `there is no pod to explain in ${name}` : `there is no pod ${JSON.stringify(pod)} in ${name}`);
  const forecasts: Forecast[] = [];
  if (wanted.length > most) tell(`podscope: the first ${most} of ${wanted.length} pods are explained; --pod NAME picks another`);
  for (const snapshot of wanted.slice(0, most)) {
    const explained = await forecast(snapshot, { profile, at: instantOf(at) }).catch((error: unknown) => {
      const { namespace, name: called } = snapshot.pod.metadata;
      tell(`podscope: ${namespace}/${called} can't be gone on with in the simulator: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (explained) forecasts.push(explained);
  }
  if (forecasts.length === 0) throw new RunProblem(`no pod of ${name} can be explained`);
  return forecasts;
}

const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);

/** The part of a forecast that comes after the explanation, as lines. */
export function forecastLines({ observedAt, waits, entries, until, notices }: Forecast): readonly string[] {
  const ahead = (at: number): string => `${clock(at)} (+${Math.round((at - observedAt) / 1000)} s)`;
  return [
    `  What comes next, seen from ${new Date(observedAt).toISOString().slice(0, 19)}Z`,
    ...waits.map(
      ({ container, kind, seconds, until: end }) =>
        `    next ${kind === 'image' ? 'pull for' : 'start of'} ${container} not before ${ahead(end)}: back-off ${seconds} s`,
    ),
    ...entries.map((entry) => `    ${ahead(entry.at)} ${describeEntry(entry)}`),
    ...(entries.length === 0 ? [`    nothing, as far as ${clock(until)}`] : []),
    '',
    '  To know',
    ...notices.map((notice) => `    ${snapshotTextInEnglish(notice)}`),
  ];
}
