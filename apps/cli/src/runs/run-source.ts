/** Where the commands about runs find one: a trace file, or the store of a state directory, also while a server writes it. */
import { createReadStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError } from '@podscope/cluster';
import { defaultStateDir, EventStore, eventTexts, runInfoOf, StoreError } from '@podscope/server/runs';
import type { TraceEvent } from '@podscope/trace';
import { openTraceFile, type RunInfo, TraceFileError } from '@podscope/trace/file';
import { UsageError } from '../command.ts';
import { tell } from '../say.ts';

/** An answer for the person who asked that is no defect of the program: one line, exit code 1. */
export class RunProblem extends Error {
  override readonly name = 'RunProblem';
}

/** A run that can be read once. */
export interface OpenedRun {
  readonly info: RunInfo;
  readonly events: AsyncIterable<TraceEvent>;
  /** What is wrong with a file that is not complete; stands once `events` is at its end. */
  readonly problem: () => string | undefined;
}

/** The option that all of them take. */
export const stateDirOption = { 'state-dir': { type: 'string' } } as const;
export const stateDirHelp = '  --state-dir DIR   Where the server keeps its runs (default: the server’s own default).';

export const storeFileOf = (stateDir: string | undefined): string => join(resolve(stateDir ?? defaultStateDir(process.env)), 'runs.db');

/** Reads arguments; what is wrong with them is a usage error. */
export function readArguments<const O extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(args: readonly string[], options: O, command: string) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${command}: ${(error as Error).message.split('\n')[0]} (${command} --help tells all)`, { cause: error });
  }
}

/** A path is meant, not an id: no id has a dot or a slash. */
const looksLikePath = (name: string): boolean => /[./]/.test(name) || existsSync(name);

/**
 * Opens a run by the name of a file, a run's id (or its beginning), its title, or `current` and `latest`.
 * @throws RunProblem when there is none
 */
export async function openRun(name: string, stateDir: string | undefined): Promise<OpenedRun> {
  if (looksLikePath(name)) return openFile(name);
  const store = openStore(stateDir);
  const run = findRun(store, name);
  return { info: runInfoOf(run), events: storedEvents(store, run.id), problem: () => undefined };
}

async function openFile(path: string): Promise<OpenedRun> {
  try {
    const { header, events, report } = await openTraceFile(createReadStream(path));
    return { info: header.run, events: flattened(events), problem: () => report().problem };
  } catch (error) {
    throw asProblem(error, path);
  }
}

/** Failures of the file or the store, in one line; anything else stays what it is. */
export function asProblem(error: unknown, path: string): unknown {
  if (error instanceof TraceFileError) return new RunProblem(`${path}: ${error.message}`, { cause: error });
  if (error instanceof StoreError || error instanceof ApiError) return new RunProblem(error.message, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new RunProblem(code === 'ENOENT' ? `${path} does not exist` : message, { cause: error });
}

async function* flattened(groups: AsyncIterable<readonly TraceEvent[]>): AsyncGenerator<TraceEvent> {
  for await (const group of groups) yield* group;
}

async function* storedEvents(store: EventStore, id: string): AsyncGenerator<TraceEvent> {
  try {
    // Written by the server, from events it made or checked.
    for await (const text of eventTexts(store, id)) yield JSON.parse(text) as TraceEvent;
  } finally {
    store.close();
  }
}

/** @throws RunProblem when there is no store */
export function openStore(stateDir: string | undefined): EventStore {
  try {
    return EventStore.openExisting(storeFileOf(stateDir));
  } catch (error) {
    throw asProblem(error, '');
  }
}

/** What lists show of a run's id: its first letters, and which try of the run it is. */
export const shortRun = (id: string): string => `${id.slice(0, 8)}${/(?<=^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})-\d+$/.exec(id)?.[0] ?? ''}`;

/** The one run that a name means. @throws RunProblem for none, or several */
export function findRun(store: EventStore, name: string) {
  const runs = store.list();
  if (name === 'latest' && runs[0]) return runs[0];
  const exact = runs.find(({ id, state }) => id === name || (name === 'current' && state === 'current'));
  if (exact) return exact;
  const shown = runs.filter(({ id }) => shortRun(id) === name);
  if (shown[0] && shown.length === 1) return shown[0];
  const matching = runs.filter(({ id, title }) => title === name || (name.length >= 4 && id.startsWith(name)));
  const [found] = matching;
  if (matching.length > 1)
    throw new RunProblem(`${matching.length} runs are meant by ${JSON.stringify(name)}: give more of the id ("podscope runs" lists them)`);
  if (!found) throw new RunProblem(`there is no run ${JSON.stringify(name)} ("podscope runs" lists those there are)`);
  return found;
}

/** Runs a command's body; a problem is told in one line. */
export async function tellingProblems(body: () => Promise<number>): Promise<number> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof RunProblem)) throw error;
    tell(`podscope: ${error.message}`);
    return 1;
  }
}
