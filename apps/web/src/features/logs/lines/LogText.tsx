/** Renders a line with its colors and marked matches. */
import { cx } from '../../../base/ui/marks/cx.ts';
import styles from './LogText.module.css';
import type { ShownLine } from './log-buffer.ts';
import type { TextStyle } from './styled-line.ts';

interface Piece {
  readonly at: number;
  readonly text: string;
  readonly style: TextStyle | undefined;
  readonly isMatch: boolean;
}

/** Returns the positions of all matches of the search text. */
function matchesIn(text: string, needle: string): readonly number[] {
  const found: number[] = [];
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

/** Splits the line where the style changes, and at matches. */
function piecesOf({ text, runs }: ShownLine, search: string): readonly Piece[] {
  const needle = search.toLowerCase();
  const matches = needle === '' ? [] : matchesIn(text, needle);
  const pieces: Piece[] = [];
  let start = 0;
  for (const run of runs ?? [{ text, style: undefined }]) {
    const end = start + run.text.length;
    const cuts = [
      start,
      end,
      ...matches.flatMap((at) => [at, at + needle.length]).filter((at) => at > start && at < end),
    ].toSorted((a, b) => a - b);
    for (const [index, from] of cuts.entries()) {
      const to = cuts[index + 1];
      if (to === undefined || to === from) continue;
      pieces.push({
        at: from,
        text: text.slice(from, to),
        style: run.style,
        isMatch: matches.some((at) => at <= from && to <= at + needle.length),
      });
    }
    start = end;
  }
  return pieces;
}

const classesOf = (style: TextStyle | undefined): string | undefined =>
  style &&
  cx(
    style.colour && styles[style.colour],
    style.bold && styles.bold,
    style.dim && styles.dim,
    style.italic && styles.italic,
    style.underline && styles.underline,
  );

export function LogText({ line, search }: { readonly line: ShownLine; readonly search: string }) {
  if (line.text === '') return <> </>;
  return piecesOf(line, search).map(({ at, text, style, isMatch }) => {
    const Tag = isMatch ? 'mark' : 'span';
    return (
      <Tag key={at} className={classesOf(style)}>
        {text}
      </Tag>
    );
  });
}
