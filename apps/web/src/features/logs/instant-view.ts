/** Relates a log to two instants: the shown instant, and the time of the selected event. */
import type { ShownLine } from './lines/log-buffer.ts';

/** Returns how many lines have a time of at most `time`. The lines must be ordered by time. */
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

/** Returns the lines with an additional line at the time of the selected event. */
export function withMoment(
  lines: readonly ShownLine[],
  moment: { readonly time: number; readonly text: string },
): readonly ShownLine[] {
  const at = countUpTo(lines, moment.time);
  // The new line needs a number that no other line has, because the number is its key.
  return [
    ...lines.slice(0, at),
    { number: -1, time: moment.time, stream: 'moment', text: moment.text },
    ...lines.slice(at),
  ];
}
