/** Aligns a log with two moments: the one that the page shows, and the selected one. */
import type { ShownLine } from './lines/log-buffer.ts';

/** Returns how many of the ordered lines are not later than `time`. */
export function countUpTo(lines: readonly Pick<ShownLine, 'time'>[], time: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inserts a line at the selected moment. */
export function withMoment(
  lines: readonly ShownLine[],
  moment: { readonly time: number; readonly text: string },
): readonly ShownLine[] {
  const at = countUpTo(lines, moment.time);
  // Use a number that no other line has, because it is the line's key.
  return [
    ...lines.slice(0, at),
    { number: -1, time: moment.time, stream: 'moment', text: moment.text },
    ...lines.slice(at),
  ];
}
