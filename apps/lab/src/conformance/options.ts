/** Parses the command line of `conformance`. */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@podscope/command-line';
import type { Release } from '@podscope/kuberuntime/testing';
import { projectVectors } from './vector-files.ts';

export interface ConformanceOptions {
  /** A directory of recordings, or a single file. */
  readonly path: string;
  readonly profile: Release | undefined;
  readonly only: string | undefined;
  readonly verbose: boolean;
  readonly explain: boolean;
}

const definitions = {
  profile: { type: 'string' },
  only: { type: 'string' },
  verbose: { type: 'boolean', default: false },
  explain: { type: 'boolean', default: false },
} as const;

/** Parses the command line. @throws UsageError for an invalid option or argument */
export function parseConformanceOptions(args: readonly string[]): ConformanceOptions {
  let parsed: ReturnType<typeof parseArgs<{ options: typeof definitions; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options: definitions, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('\n')[0]} (--help lists all options)`, { cause: error });
  }
  const { values, positionals } = parsed;
  const { profile, only, verbose, explain } = values;
  if (positionals.length > 1) throw new UsageError(`one directory at a time, not ${positionals.join(', ')}`);
  if (profile !== undefined && profile !== 'v1.36' && profile !== 'v1.20')
    throw new UsageError(`--profile ${JSON.stringify(profile)} is not v1.36 or v1.20`);
  if (explain && only === undefined) throw new UsageError('--explain explains one case: choose it with --only ID');
  return {
    path: positionals[0] === undefined ? projectVectors : resolve(positionals[0]),
    profile,
    only,
    verbose,
    explain,
  };
}

export const help = `Usage: npx -y pnpm@12 conformance [DIR] [options]

Replays recorded decisions of the genuine kubelet (v1.20.2 and v1.36.2) in the engine and prints for each file how
many agree.

  DIR   A directory of recordings, or one file. Default: apps/lab/vectors/ of this project.
        Files are known by the first part of their names (compute, sync, status, backoff, expansion, dockershim) and
        end in .jsonl or .jsonl.gz: compute-v1.36-other-seed.jsonl.gz is one. node-v1.36.json and node-v1.20.json
        beside them describe the node that syncs were recorded on; without them the project's own are used.

Options:
  --profile v1.36|v1.20   Only cases of that release (those that hold for both are always run).
  --only ID               Only the case of that id, such as v1.36/sync/000042.
  --explain               With --only: explains how the engine decides that case: the rules it evaluates, their facts,
                          and the rule that decides.
  --verbose               Prints every differing case in full instead of the first five of each file, and the duration
                          of each file.

Exit code: 0 when every case agrees, 1 when one does not (an invalid line counts as a difference) or when no case was
found, 2 for an invalid command line. Unknown files are named on stderr and ignored.`;
