/** The log lined up with the instant in view: what had been printed by then, and where a selected moment falls. */
import type { ShownLine } from './log-buffer.ts';

/** How many lines, in order of time, are no later than `time`. */
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

/** Puts a line of the page's own where a moment falls. */
export function withMoment(lines: readonly ShownLine[], moment: { readonly time: number; readonly text: string }): readonly ShownLine[] {
  const at = countUpTo(lines, moment.time);
  // Numbers are keys: one that no line has.
  return [...lines.slice(0, at), { number: -1, time: moment.time, stream: 'moment', text: moment.text }, ...lines.slice(at)];
}
