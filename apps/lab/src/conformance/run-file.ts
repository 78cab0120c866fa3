/** Runs the cases of one file one after another and keeps only the disagreements to be reported. */
import { errorMessage } from '@podscope/base';
import type { Release } from '@podscope/kuberuntime/testing';
import { Tracer } from '@podscope/trace';
import type { Finding, VectorCase, VectorKind } from './kinds/kind.ts';
import { MalformedCase } from './kinds/kind.ts';
import { readLines } from './lines.ts';
import type { RecordedNodes } from './nodes.ts';
import type { VectorFile } from './vector-files.ts';

/** A case that disagrees, or a malformed line. */
export type Disagreeing = { readonly line: number } & (
  | { readonly kind: 'differs'; readonly id: string; readonly finding: Finding }
  | { readonly kind: 'threw'; readonly id: string; readonly error: string }
  | { readonly kind: 'malformed'; readonly problem: string }
);

export interface FileOutcome {
  readonly file: VectorFile;
  readonly cases: number;
  readonly agreeing: number;
  /** The first disagreements; their total number is `cases - agreeing`. */
  readonly disagreeing: readonly Disagreeing[];
}

export interface RunOptions {
  readonly kind: VectorKind;
  readonly nodes: RecordedNodes;
  /** Cases of other releases are skipped. */
  readonly profile?: Release | undefined;
  readonly only?: string | undefined;
  /** Largest number of disagreements to keep. */
  readonly keep: number;
}

/** Parses a line as a case. @throws MalformedCase */
export function readCase(kind: VectorKind, text: string | undefined): VectorCase {
  if (text === undefined) throw new MalformedCase('the line is too long');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new MalformedCase(`not JSON: ${errorMessage(cause)}`, { cause });
  }
  return kind.read(json);
}

/** Returns the release to compare a case with: the file's, otherwise the case's own; undefined if neither names one. */
export const releaseOf = (file: VectorFile, vector: VectorCase): Release | undefined => file.release ?? vector.release;

/** Runs the cases of a file. @returns undefined if no case of the file was selected */
export async function runFile(file: VectorFile, options: RunOptions): Promise<FileOutcome | undefined> {
  const { kind, nodes, profile, only, keep } = options;
  const disagreeing: Disagreeing[] = [];
  let cases = 0;
  let agreeing = 0;
  const note = (found: Disagreeing): void => {
    cases += 1;
    if (disagreeing.length < keep) disagreeing.push(found);
  };
  const quoted = only === undefined ? '' : JSON.stringify(only);
  let number = 0;
  try {
    for await (const line of readLines(file.path)) {
      number = line.number;
      if (line.text?.trim() === '' || (only !== undefined && !line.text?.includes(quoted))) continue;
      let vector: VectorCase;
      try {
        vector = readCase(kind, line.text);
      } catch (error) {
        if (!(error instanceof MalformedCase)) throw error;
        note({ kind: 'malformed', line: number, problem: error.message });
        continue;
      }
      const release = releaseOf(file, vector);
      if (
        (only !== undefined && vector.id !== only) ||
        (profile !== undefined && release !== undefined && release !== profile)
      )
        continue;
      if (release === undefined && needsRelease(kind)) {
        note({
          kind: 'malformed',
          line: number,
          problem: `${vector.id}: neither the file's name nor the case says which release it is of (v1.36 or v1.20)`,
        });
        continue;
      }
      const held: Release = release ?? profile ?? 'v1.36';
      try {
        const finding = await vector.judge({
          release: held,
          node: () => nodes.of(file.path, held),
          tracer: new Tracer(),
        });
        if (finding) note({ kind: 'differs', line: number, id: vector.id, finding });
        else {
          cases += 1;
          agreeing += 1;
        }
      } catch (error) {
        note({ kind: 'threw', line: number, id: vector.id, error: errorMessage(error) });
      }
    }
  } catch (error) {
    note({ kind: 'malformed', line: number + 1, problem: `the file breaks off: ${errorMessage(error)}` });
  }
  return cases === 0 && (only !== undefined || profile !== undefined)
    ? undefined
    : { file, cases, agreeing, disagreeing };
}

const needsRelease = ({ name }: VectorKind): boolean => name === 'compute' || name === 'sync';
