import { expect, it } from 'vitest';
import { runSchedule } from './run-schedule.ts';
import { makeSchedule } from './schedule.ts';
import { shapeNames } from './shapes.ts';
import { Tally } from './tally.ts';

/** As many as fit into a few seconds: `npx -y pnpm@12 chaos` runs thousands. */
const seeds = 25;

it('comes right whatever goes wrong', { timeout: 400_000 }, async () => {
  const tally = new Tally();
  for (let seed = 1; seed <= seeds; seed++) tally.add(await runSchedule(makeSchedule(seed)));
  expect(tally.failed.map(({ seed, problems }) => ({ seed, problems }))).toEqual([]);
  expect({ runs: tally.runs, lost: tally.lost, leaked: tally.leaked }).toEqual({ runs: seeds, lost: 0, leaked: 0 });
  // It is about something: most kinds of trouble have been met.
  expect(tally.done.size).toBeGreaterThan(12);
  expect(tally.calls).toBeGreaterThan(5_000);
});

it('does the same for the same seed', { timeout: 200_000 }, async () => {
  const schedule = makeSchedule(7);
  expect(makeSchedule(7)).toEqual(schedule);
  expect(await runSchedule(schedule)).toEqual(await runSchedule(schedule));
});

it('knows pods of many shapes', () => {
  expect(shapeNames.length).toBeGreaterThan(14);
});
