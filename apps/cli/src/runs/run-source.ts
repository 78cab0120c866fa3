/**
 * Opens the run that a command names: a trace file, or a run in the store of a state directory. A server may write to
 * the store at the same time.
 */

import { createReadStream, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiError } from '@podscope/apiserver';
import { report } from '@podscope/command-line';
import { defaultStateDir, EventStore, eventTexts, runInfoOf, StoreError } from '@podscope/server/runs';
import type { TraceEvent } from '@podscope/trace';
import { bytesOf, openTraceFile, type RunInfo, TraceFileError } from '@podscope/trace/file';

/** Thrown for an error that the user can fix. It is printed as one line. */
export class RunProblem extends Error {
  override readonly name = 'RunProblem';
}

/** A run. Its events can be read only once. */
export interface OpenedRun {
  readonly info: RunInfo;
  readonly events: AsyncIterable<TraceEvent>;
  /** Returns the reason why a file is incomplete. The reason is known only after all `events` have been read. */
  readonly problem: () => string | undefined;
}

/** The option that all commands about runs accept. */
export const stateDirOption = { 'state-dir': { type: 'string' } } as const;
export const stateDirHelp = '  --state-dir DIR   Where the server keeps its runs (default: the server’s own default).';

export const storeFileOf = (stateDir: string | undefined): string =>
  join(resolve(stateDir ?? defaultStateDir(process.env)), 'runs.db');

/** The option that names a session in a directory with recorded conversations of a genuine kubelet. */
export const sessionOption = { session: { type: 'string' } } as const;
export const sessionHelp =
  '  --session NAME    Session of DIR, which holds recorded conversations of a genuine kubelet: X of calls-X.jsonl;\n' +
  '                    default: the first.';

/** Returns true if the name is a path. Ids of runs contain no dots and no slashes. */
const looksLikePath = (name: string): boolean => /[./]/.test(name) || existsSync(name);

/**
 * Returns the session that a command names, or the first one.
 * @param sessions the sessions of the directory
 * @throws RunProblem if the directory has no such session
 */
export function chosenSession(directory: string, sessions: readonly string[], session: string | undefined): string {
  const [first] = sessions;
  if (first === undefined) throw new RunProblem(`${directory} has no recorded session (calls-X.jsonl)`);
  if (session !== undefined && !sessions.includes(session))
    throw new RunProblem(`${directory} has the sessions ${sessions.join(', ')}, not ${session}`);
  return session ?? first;
}

/**
 * Opens a run. The name is a path, the id of a run or a prefix of it, a title, `current` or `latest`.
 * @param session the session of a directory with recorded conversations; default: the first
 * @throws RunProblem if no run matches
 */
export async function openRun(name: string, stateDir: string | undefined, session?: string): Promise<OpenedRun> {
  if (existsSync(name) && statSync(name).isDirectory()) return openRecording(name, session);
  if (looksLikePath(name)) return openFile(name);
  const store = openStore(stateDir);
  const run = findRun(store, name);
  return { info: runInfoOf(run), events: storedEvents(store, run.id), problem: () => undefined };
}

async function openFile(path: string): Promise<OpenedRun> {
  try {
    return await openBytes(createReadStream(path));
  } catch (error) {
    throw asProblem(error, path);
  }
}

/** Replays a session of a directory. Loads the observer only here, because most commands don't need it. */
async function openRecording(directory: string, session: string | undefined): Promise<OpenedRun> {
  const { recordingAsFile, sessionsOf, StartError } = await import('@podscope/server/observe');
  const chosen = chosenSession(directory, sessionsOf(directory), session);
  try {
    return await openBytes(bytesOf(await recordingAsFile(directory, chosen)));
  } catch (error) {
    throw error instanceof StartError ? new RunProblem(error.message, { cause: error }) : error;
  }
}

async function openBytes(bytes: AsyncIterable<Uint8Array>): Promise<OpenedRun> {
  const { header, events, report } = await openTraceFile(bytes);
  return { info: header.run, events: flattened(events), problem: () => report().problem };
}

/** Converts an error of the file or the store to a problem of one line. Returns any other error unchanged. */
export function asProblem(error: unknown, path: string): unknown {
  if (error instanceof TraceFileError) return new RunProblem(`${path}: ${error.message}`, { cause: error });
  if (error instanceof StoreError || error instanceof ApiError) return new RunProblem(error.message, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined
    ? error
    : new RunProblem(code === 'ENOENT' ? `${path} does not exist` : message, { cause: error });
}

async function* flattened(groups: AsyncIterable<readonly TraceEvent[]>): AsyncGenerator<TraceEvent> {
  for await (const group of groups) yield* group;
}

async function* storedEvents(store: EventStore, id: string): AsyncGenerator<TraceEvent> {
  try {
    // The cast is safe, because the server wrote these events from values that it created or validated.
    for await (const text of eventTexts(store, id)) yield JSON.parse(text) as TraceEvent;
  } finally {
    store.close();
  }
}

/** Opens the run store of a state directory. @throws RunProblem if the store is missing */
export function openStore(stateDir: string | undefined): EventStore {
  try {
    return EventStore.openExisting(storeFileOf(stateDir));
  } catch (error) {
    throw asProblem(error, '');
  }
}

/** Returns the short form of a run's id: its first eight characters and the number of the rerun. */
export const shortRun = (id: string): string =>
  `${id.slice(0, 8)}${/(?<=^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})-\d+$/.exec(id)?.[0] ?? ''}`;

/**
 * Returns the run that a name identifies.
 * @throws RunProblem unless exactly one run matches
 */
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
    throw new RunProblem(
      `${matching.length} runs are meant by ${JSON.stringify(name)}: give more of the id ("podscope runs" lists them)`,
    );
  if (!found) throw new RunProblem(`there is no run ${JSON.stringify(name)} ("podscope runs" lists those there are)`);
  return found;
}

/**
 * Runs the body of a command. Prints a {@link RunProblem} as one line.
 * @param exitCode what it returns after a problem
 */
export async function tellingProblems(body: () => Promise<number>, exitCode = 1): Promise<number> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof RunProblem)) throw error;
    report(`podscope: ${error.message}`);
    return exitCode;
  }
}
