/** Formats the output of the conformance runner. */
import { differences } from './differences.ts';
import { formatValue } from './kinds/case-text.ts';
import type { Disagreeing, FileOutcome } from './run-file.ts';

/** Receives the lines of the output. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Values are truncated to this length without `--verbose`. */
const maxValueLength = 400;
/** Number of differences shown per item without `--verbose`. */
const maxDifferences = 12;

/** Formats a file's result, such as `sync-v1.36 498/500 agree`. */
export const fileLine = ({ file, agreeing, cases }: FileOutcome, width: number, seconds?: number): string =>
  `${file.label.padEnd(width)}  ${agreeing}/${cases} ` +
  `agree${seconds === undefined ? '' : `  (${seconds.toFixed(1)} s)`}`;

function text(value: unknown, verbose: boolean): string {
  if (value === undefined) return 'nothing';
  const json =
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)) ??
    formatValue(value);
  return verbose || json.length <= maxValueLength
    ? json
    : `${json.slice(0, maxValueLength)}… (${json.length} characters)`;
}

/** Formats a disagreement: the earlier parts of the case, and the expected and actual value of each difference. */
export function describeDisagreeing(label: string, found: Disagreeing, verbose: boolean): string[] {
  if (found.kind === 'malformed') return [`✗ ${label}, line ${found.line}: ${found.problem}`];
  const title = `✗ ${found.id} (${label}, line ${found.line})`;
  if (found.kind === 'threw') return [title, `    the engine failed: ${found.error}`];
  const { where, before = [], disagreements } = found.finding;
  const lines = [where ? `${title} differs in ${where}` : `${title} differs`];
  if (before.length > 0)
    lines.push('    before it', ...before.map((line) => `      ${verbose ? line : line.slice(0, maxValueLength)}`));
  for (const { what, expected, got } of disagreements) {
    const found = differences(expected, got);
    const shown = verbose ? found : found.slice(0, maxDifferences);
    lines.push(`    ${what}`);
    for (const { path, expected: want, got: have } of shown) {
      if (path !== '') lines.push(`      at ${path}`);
      lines.push(`      expected ${text(want, verbose)}`, `      got      ${text(have, verbose)}`);
    }
    if (shown.length < found.length)
      lines.push(`      … and ${found.length - shown.length} more differences (--verbose shows all)`);
  }
  return lines;
}

/** Formats the disagreements of a file. */
export function describeOutcome({ file, cases, agreeing, disagreeing }: FileOutcome, verbose: boolean): string[] {
  const lines = disagreeing.flatMap((found) => ['', ...describeDisagreeing(file.label, found, verbose)]);
  const more = cases - agreeing - disagreeing.length;
  return more > 0
    ? [...lines, '', `… and ${more} more in ${file.label}${verbose ? '' : ' (--verbose shows all)'}`]
    : lines;
}
