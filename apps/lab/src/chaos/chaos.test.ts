import { expect, it } from 'vitest';
import { runSchedule } from './run-schedule.ts';
import { makeSchedule } from './schedule.ts';
import { shapeNames } from './shapes.ts';
import { Tally } from './tally.ts';

/** Number of seeds. Together they take a few seconds; `npx -y pnpm@12 chaos` runs thousands. */
const seeds = 25;

it('recovers from the faults of every schedule without lost or leaked pods', { timeout: 400_000 }, async () => {
  const tally = new Tally();
  for (let seed = 1; seed <= seeds; seed++) tally.add(await runSchedule(makeSchedule(seed)));
  expect(tally.failed.map(({ seed, problems }) => ({ seed, problems }))).toEqual([]);
  expect({ runs: tally.runs, lost: tally.lost, leaked: tally.leaked }).toEqual({ runs: seeds, lost: 0, leaked: 0 });
  // The test is only meaningful if most kinds of faults occurred.
  expect(tally.done.size).toBeGreaterThan(12);
  expect(tally.calls).toBeGreaterThan(5_000);
});

it('produces the same outcome for the same seed', { timeout: 200_000 }, async () => {
  const schedule = makeSchedule(7);
  expect(makeSchedule(7)).toEqual(schedule);
  expect(await runSchedule(schedule)).toEqual(await runSchedule(schedule));
});

it('covers more than 14 pod shapes', () => {
  expect(shapeNames.length).toBeGreaterThan(14);
});
