/** The same scenario, profile and seed give the same event log, byte for byte: over a hundred seeds, which take turns at the short scenarios. */
import { expect, it } from 'vitest';
import { scenarios } from './library.ts';
import { logTextOf, playThrough } from './testing/play-through.ts';
import { seedCases } from './testing/seed-cases.ts';

it('repeats itself for each of a hundred seeds', { timeout: 240_000 }, async () => {
  const differing: string[] = [];
  for (const { seed, scenario, profile } of seedCases()) {
    const first = logTextOf(await playThrough(scenario, profile, seed));
    const second = logTextOf(await playThrough(scenario, profile, seed));
    if (second !== first) differing.push(`${scenario.id} in ${profile} with seed ${seed}`);
  }
  expect(differing).toEqual([]);
});

it('differs from seed to seed', async () => {
  const [scenario] = scenarios;
  if (!scenario) throw new Error('there is no scenario to play');
  const logs = await Promise.all(Array.from({ length: 10 }, async (_, seed) => logTextOf(await playThrough(scenario, 'v1.36', seed))));
  expect(new Set(logs).size).toBe(10);
});
