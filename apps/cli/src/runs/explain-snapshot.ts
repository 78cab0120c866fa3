/**
 * Forecasts what the kubelet does next for `podscope explain`: for the pods of kubectl's output, which it also
 * explains, and for the pods of an observed run.
 */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errorMessage } from '@podscope/base';
import { report, UsageError } from '@podscope/command-line';
import {
  describeEntry,
  type Forecast,
  type ForecastEntry,
  type ForecastOptions,
  forecast,
  forecastOfRun,
  formatSnapshotText,
  type PodSnapshot,
  readSnapshots,
  snapshotOfRun,
} from '@podscope/pod-snapshot';
import { instant, type PodTrack, type RunFold } from '@podscope/trace';
import { asProblem, RunProblem } from './run-source.ts';

/** Returns true if the name refers to kubectl output. The name `-` stands for standard input. */
export const isSnapshotFile = (name: string): boolean => name === '-' || /\.(?:ya?ml|json|txt)$/i.test(name);

/**
 * Maximum number of pods that one call explains. A limit is necessary, because each pod takes a large part of a second.
 */
const most = 50;

const maxBytes = 16 * 1024 ** 2;

async function read(name: string): Promise<string> {
  const content = await (name === '-' ? text(process.stdin) : readFile(name, 'utf8')).catch((error: unknown) => {
    throw asProblem(error, name);
  });
  if (content.length > maxBytes)
    throw new RunProblem(`${name} has ${content.length} characters; pods are read from up to ${maxBytes}`);
  return content;
}

/** Parses the time of `--at`. @throws UsageError */
function instantOf(at: string | undefined) {
  if (at === undefined) return undefined;
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw new UsageError(`--at ${JSON.stringify(at)} is not a time such as 2026-03-01T10:05:00Z`);
  return instant(time);
}

/** Returns a function that maps a line of the joined text to the file and the line in the file. */
function placesIn(names: readonly string[], texts: readonly string[]): (line: number | undefined) => string {
  return (line) => {
    if (line === undefined) return names.join(', ');
    let left = line;
    for (const [index, content] of texts.entries()) {
      const lines = content.split('\n').length - 1;
      if (left <= lines || index === texts.length - 1) return `${names[index]}:${left}`;
      // Skip the line between two files in the joined text.
      left -= lines + 1;
    }
    return names.join(', ');
  };
}

type Profile = NonNullable<ForecastOptions['profile']>;

export interface SnapshotOptions {
  readonly pod: string | undefined;
  readonly at: string | undefined;
  readonly profile: Profile;
}

/** Returns the forecast of a pod. If the pod can't be simulated, prints the reason and returns undefined. */
async function unlessFailed({ pod }: PodSnapshot, forecasting: Promise<Forecast>): Promise<Forecast | undefined> {
  try {
    return await forecasting;
  } catch (error) {
    const { namespace, name } = pod.metadata;
    report(`podscope: ${namespace}/${name} can't be continued in the simulator: ${errorMessage(error)}`);
    return undefined;
  }
}

/**
 * Computes the forecasts of pods that a genuine kubelet runs.
 * @param now the time from which the forecasts start, in milliseconds since the Unix epoch
 * @returns the forecasts by the uid of the pod. A deleted pod and a pod without known
 * containers don't have one.
 */
export async function forecastRun(
  fold: RunFold,
  pods: readonly PodTrack[],
  now: number,
  profile: Profile,
): Promise<ReadonlyMap<string, Forecast>> {
  const forecasts = new Map<string, Forecast>();
  const known = pods.flatMap((track) => snapshotOfRun(fold, track, now) ?? []);
  if (known.length > most)
    report(`podscope: the first ${most} of ${known.length} pods have a forecast; name a pod to get its forecast`);
  for (const pod of known.slice(0, most)) {
    const foreseen = await unlessFailed(pod.snapshot, forecastOfRun(pod, { profile }));
    if (foreseen) forecasts.set(foreseen.pod.uid, foreseen);
  }
  return forecasts;
}

/**
 * Reads the pods in the files and computes a forecast for each of them. Events may be in a separate file.
 * @throws RunProblem for a file that can't be read or doesn't contain the pod, UsageError for an invalid option
 */
export async function forecastFiles(
  names: readonly string[],
  { pod, at, profile }: SnapshotOptions,
): Promise<readonly Forecast[]> {
  const texts: string[] = [];
  for (const name of names) texts.push(`${(await read(name)).trimEnd()}\n`);
  const { snapshots, errors, notices } = readSnapshots(texts.join('---\n'));
  const placeOf = placesIn(names, texts);
  for (const { message, line, hint } of errors)
    report(`podscope: ${placeOf(line)}: ${message}${hint ? ` (${hint})` : ''}`);
  const name = names.join(', ');
  for (const notice of notices) report(`podscope: ${formatSnapshotText(notice)}`);
  const wanted = snapshots.filter(
    ({ pod: { metadata } }) =>
      pod === undefined || [metadata.uid, metadata.name, `${metadata.namespace}/${metadata.name}`].includes(pod),
  );
  if (wanted.length === 0)
    throw new RunProblem(
      pod === undefined ? `there is no pod to explain in ${name}` : `there is no pod ${JSON.stringify(pod)} in ${name}`,
    );
  const forecasts: Forecast[] = [];
  if (wanted.length > most)
    report(`podscope: the first ${most} of ${wanted.length} pods are explained; --pod NAME picks another`);
  for (const snapshot of wanted.slice(0, most)) {
    const explained = await unlessFailed(snapshot, forecast(snapshot, { profile, at: instantOf(at) }));
    if (explained) forecasts.push(explained);
  }
  if (forecasts.length === 0) throw new RunProblem(`no pod of ${name} can be explained`);
  return forecasts;
}

const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);

/**
 * Returns true if an entry adds something to the diagnosis. The evidence of the diagnosis already quotes repeated
 * failures.
 */
const isNews = (entry: ForecastEntry): boolean =>
  entry.kind !== 'event' || ['Pulling', 'Killing', 'SandboxChanged'].includes(entry.reason);

/** Formats the forecast, which follows the explanation. */
export function forecastLines({
  observedAt,
  waits,
  entries,
  isSimulated,
  until,
  notices,
}: Forecast): readonly string[] {
  const notes =
    notices.length === 0 ? [] : ['  Notes', ...notices.map((notice) => `    ${formatSnapshotText(notice)}`)];
  if (!isSimulated) return notes;
  const ahead = (at: number): string => `${clock(at)} (+${Math.round((at - observedAt) / 1000)} s)`;
  return [
    `  What comes next, seen from ${new Date(observedAt).toISOString().slice(0, 19)}Z`,
    ...waits.map(
      ({ container, kind, seconds, until: end }) =>
        `    next ${kind === 'image' ? 'pull for' : 'start of'} ${container} not before ${ahead(end)}: back-off ` +
        `${seconds} s`,
    ),
    ...entries.filter(isNews).map((entry) => `    ${ahead(entry.at)} ${describeEntry(entry)}`),
    ...(entries.length === 0 ? [`    nothing, as far as ${clock(until)}`] : []),
    '',
    ...notes,
  ];
}
