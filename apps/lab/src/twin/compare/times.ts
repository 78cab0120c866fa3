/**
 * Compares when containers start. The time from one start or end to the next start must be between half and twice the
 * recorded one, plus or minus the kubelet's sync interval (10 to 16 s for a failed pod) and the delay of a busy engine.
 */
import type { EngineEvent } from '../recording.ts';
import type { Compare } from './comparison.ts';

/** One sync interval in milliseconds. A sync may be late by one interval. */
const grid = 17_000;
/** Delay that many concurrent pods cause, in milliseconds. */
const slack = 10_000;

const starts = (events: readonly EngineEvent[]): readonly EngineEvent[] =>
  events.filter(({ action }) => action === 'start');

export const compareTimes: Compare = ({ recording, seen, isBusy }) => {
  const differences: string[] = [];
  const [theirs, ours] = [starts(recording.engineEvents), starts(seen.trace.events)];
  for (const [index, there] of theirs.entries()) {
    const here = ours[index];
    if (!here || here.container !== there.container || here.attempt !== there.attempt) break;
    const before = (list: readonly EngineEvent[]): number => (index === 0 ? 0 : (list[index - 1]?.t ?? 0));
    const [a, b] = [there.t - before(theirs), here.t - before(ours)];
    const late = (there.attempt ?? 0) > 0 ? grid : slack;
    if ((b > 2 * a + late && !isBusy) || b < a / 2 - late) {
      differences.push(
        `start ${there.container}#${there.attempt}: recorded ${a / 1000} s after the one before, here ${b / 1000} s`,
      );
    }
  }
  return differences;
};
