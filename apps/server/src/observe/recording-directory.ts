/** Reads directories with recorded conversations of kubelets: `calls-X.jsonl`, `pods-X.json`, `spans-X.json`, … */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { errorMessage } from '@podscope/base';
import { readCallMessage } from '@podscope/cri/grpc';
import { type Recording, readRecording } from '@podscope/observer';
import { StartError } from '../start-error.ts';

const callsFile = /^calls-(.+)\.jsonl(?:\.gz)?$/;

/**
 * Returns the names of the sessions in a directory: `a` for `calls-a.jsonl.gz`. Returns an empty list if the path
 * contains no session.
 */
export function sessionsOf(directory: string): readonly string[] {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return [];
  const names = readdirSync(directory).map((name) => callsFile.exec(name)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].toSorted();
}

function textOf(directory: string, name: string): string | undefined {
  for (const path of [join(directory, name), join(directory, `${name}.gz`)]) {
    if (!existsSync(path)) continue;
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  }
  return undefined;
}

/** Returns a session of a directory. @throws StartError if it is missing or can't be read */
export function readRecordingDirectory(directory: string, session: string): Recording {
  const calls = textOf(directory, `calls-${session}.jsonl`);
  if (calls === undefined) throw new StartError(`${directory} has no calls-${session}.jsonl`);
  try {
    return readRecording(
      {
        calls,
        pods: textOf(directory, `pods-${session}.json`),
        spans: textOf(directory, `spans-${session}.json`),
        actions: textOf(directory, `actions-${session}.json`),
      },
      readCallMessage,
    );
  } catch (error) {
    const message = errorMessage(error);
    throw new StartError(`session ${session} of ${directory} can't be read: ${message}`, { cause: error });
  }
}
