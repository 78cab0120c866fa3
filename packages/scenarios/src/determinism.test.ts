/**
 * The same scenario, profile and seed give the same event log, byte for byte: over a hundred seeds, which take turns at all scenarios and at a
 * node where chance decides most. Another seed gives another run.
 */
import type { TraceEvent } from '@podscope/trace';
import { beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from './library.ts';
import { chance } from './testing/chance.ts';
import { logTextOf, playThrough } from './testing/play-through.ts';
import { seedCases } from './testing/seed-cases.ts';

it('repeats itself for each of a hundred seeds', { timeout: 300_000 }, async () => {
  const cases = seedCases();
  // Nothing is left out: crash loops, the reset of a back-off and flaky registries take their minutes.
  expect(new Set(cases.map(({ scenario }) => scenario)).size).toBe(scenarios.length + 1);
  expect(cases.filter(({ scenario }) => scenario === chance).length).toBe(10);
  const differing: string[] = [];
  for (const { seed, scenario, profile } of cases) {
    const first = logTextOf(await playThrough(scenario, profile, seed));
    const second = logTextOf(await playThrough(scenario, profile, seed));
    if (second !== first) differing.push(`${scenario.id} in ${profile} with seed ${seed}`);
  }
  expect(differing).toEqual([]);
});

describe('another seed', () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
  let runs: readonly (readonly TraceEvent[])[];

  beforeAll(async () => {
    runs = await Promise.all(seeds.map(async (seed) => (await playThrough(chance, 'v1.36', seed)).events));
  });

  /** How often something was said in each run. */
  const counts = (text: string): readonly number[] =>
    runs.map((events) => events.filter((event) => event.type === 'kubernetesEvent' && event.message.includes(text)).length);

  it.each([
    ['requests to a registry fail', '503 Service Unavailable'],
    ['connections are cut in the middle of a layer', 'connection reset by peer'],
    ['sandboxes fail by probability', 'no luck with the sandbox'],
    ['containers fail by probability', 'no luck with the container'],
    ['crash loops wait', 'Back-off restarting failed container'],
    ['probes fail', 'Liveness probe failed'],
  ])('is another run: how often %s', (_what, text) => {
    expect(Math.max(...counts(text))).toBeGreaterThan(0);
    expect(new Set(counts(text)).size).toBeGreaterThan(1);
  });

  it('is another run: when programs end', () => {
    const ends = runs.map((events) =>
      events
        .filter((event) => event.type === 'runtimeStateChanged' && event.to === 'exited' && event.name === 'short')
        .map(({ time }) => Math.round(time))
        .join(),
    );
    expect(new Set(ends).size).toBe(seeds.length);
  });
});
