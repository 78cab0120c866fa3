/** Parses the YAML in a lesson and maps each value to its line in the lesson. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { fieldOf, type ProblemText, problemOfIssue, problemText } from '../problem.ts';

export interface YamlText {
  readonly value: unknown;
  /**
   * Returns the line of the value at `path`, from 1. If the value is missing, returns the line of its closest existing
   * parent.
   */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** Reports a problem at a line. @param parts the parts of the lesson that have the problem; default: none */
export type Report = (line: number, problem: ProblemText, parts?: readonly ProblemText[]) => void;

/**
 * Parses YAML.
 * @param firstLine line of the YAML in the lesson
 * @param report called with each syntax error
 * @returns undefined if the YAML is invalid
 */
export function readYaml(text: string, firstLine: number, report: Report): YamlText | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineAt = (offset: number): number => firstLine + lines.linePos(offset).line - 1;
  const reportYaml = (line: number, message: string): void => report(line, problemText('yaml', { message }));
  for (const { pos, message } of document.errors)
    reportYaml(lineAt(pos[0]), message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? 'not YAML');
  if (document.errors.length > 0) return undefined;
  const lineOf = (path: readonly PropertyKey[]): number => {
    let node: unknown = document.contents;
    let offset = document.contents?.range?.[0] ?? 0;
    for (const key of path) {
      const pair = isMap(node) ? node.items.find((each) => isScalar(each.key) && each.key.value === key) : undefined;
      const next: unknown = pair ? pair.value : isSeq(node) && typeof key === 'number' ? node.items[key] : undefined;
      if (next === undefined) break;
      offset = (pair && isScalar(pair.key) ? pair.key.range?.[0] : (next as Node | null)?.range?.[0]) ?? offset;
      node = next;
    }
    return lineAt(offset);
  };
  try {
    // Lessons don't need aliases. Without them, a small text can't expand to a large object.
    return { value: document.toJS({ maxAliasCount: 0 }) ?? {}, lineOf };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    reportYaml(firstLine, error.message);
    return undefined;
  }
}

/** Returns true if the value has nothing at `path`. */
const isMissing = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  ) === undefined;

/** Reports the issues of a schema, each with its line. */
export function reportIssues({ issues }: z.ZodError, { value, lineOf }: YamlText, report: Report): void {
  for (const issue of issues) {
    const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    const problem =
      issue.code === 'invalid_type' && isMissing(value, issue.path) ? problemText('missing') : problemOfIssue(issue);
    const lines = new Set(places.map(lineOf));
    for (const line of lines) report(line, problem, fieldOf(issue.path));
  }
}
