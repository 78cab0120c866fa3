/** Reads the recorded sessions of this package, for tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCallMessage } from '@podscope/cri/grpc';
import type { Pod } from '@podscope/k8s';
import { type Recording, readRecording } from '../recording/recording.ts';

const directory = join(import.meta.dirname, '../../recordings');

function textOf(name: string): string | undefined {
  const path = join(directory, name);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The sessions: a, b and d were recorded with v1.36.2, c with v1.20.2. */
export const sessions = ['a', 'b', 'c', 'd'] as const;

/** Returns a session. */
export function recordedSession(session: (typeof sessions)[number]): Recording {
  const calls = textOf(`calls-${session}.jsonl.gz`);
  if (calls === undefined) throw new Error(`there is no session ${session}`);
  return readRecording(
    {
      calls,
      pods: textOf(`pods-${session}.json.gz`),
      spans: textOf(`spans-${session}.json.gz`),
      actions: textOf(`actions-${session}.json`),
    },
    readCallMessage,
  );
}

/** Returns the pods in all answers of `/pods`, by UID. Each pod is in its last version. */
export function lastPods({ pods }: Recording): ReadonlyMap<string, Pod> {
  return new Map(pods.flatMap((answer) => answer.pods.map((pod) => [pod.metadata.uid, pod] as const)));
}
