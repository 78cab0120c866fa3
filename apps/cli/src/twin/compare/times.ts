/**
 * When containers start, within bands: from one start or end to the next start, half to twice as long as recorded, give or take the grid on which
 * the kubelet looks at a pod again (a failed pod every 10 to 16 s) and what a busy engine takes.
 */
import type { EngineEvent } from '../recording.ts';
import type { Compare } from './compare.ts';

/** Ms. A look that comes late by one turn of the grid. */
const grid = 17_000;
/** Ms. Work that many pods at once make slower. */
const slack = 10_000;

const starts = (events: readonly EngineEvent[]): readonly EngineEvent[] => events.filter(({ action }) => action === 'start');

export const compareTimes: Compare = ({ recording, seen }) => {
  const differences: string[] = [];
  const [theirs, ours] = [starts(recording.engineEvents), starts(seen.trace.events)];
  for (const [index, there] of theirs.entries()) {
    const here = ours[index];
    if (!here || here.container !== there.container || here.attempt !== there.attempt) break;
    const before = (list: readonly EngineEvent[]): number => (index === 0 ? 0 : (list[index - 1]?.t ?? 0));
    const [a, b] = [there.t - before(theirs), here.t - before(ours)];
    const late = (there.attempt ?? 0) > 0 ? grid : slack;
    if (b > 2 * a + late || b < a / 2 - late) {
      differences.push(`start ${there.container}#${there.attempt}: recorded ${a / 1000} s after the one before, here ${b / 1000} s`);
    }
  }
  return differences;
};
