/**
 * Tests that the same scenario, profile and seed produce the same event log, byte for byte. A hundred seeds cover all
 * scenarios and a node with many random failures. Other seeds produce other runs.
 */
import type { TraceEvent } from '@podscope/trace';
import { beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from './library.ts';
import { chance } from './testing/chance.ts';
import { seedCases } from './testing/seed-cases.ts';
import { logTextOf, playThrough } from './whole-run/index.ts';

it('produces the same log twice for each of a hundred seeds', { timeout: 300_000 }, async () => {
  const cases = seedCases();
  // Slow scenarios such as crash loops and flaky registries are included.
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

  /** Returns how often a text occurs in the events of each run. */
  const counts = (text: string): readonly number[] =>
    runs.map(
      (events) => events.filter((event) => event.type === 'kubernetesEvent' && event.message.includes(text)).length,
    );

  it.each([
    ['requests to a registry fail', '503 Service Unavailable'],
    ['connections are cut in the middle of a layer', 'connection reset by peer'],
    ['sandboxes fail by probability', 'no luck with the sandbox'],
    ['containers fail by probability', 'no luck with the container'],
    ['crash loops wait', 'Back-off restarting failed container'],
    ['probes fail', 'Liveness probe failed'],
  ])('changes how often %s', (_what, text) => {
    expect(Math.max(...counts(text))).toBeGreaterThan(0);
    expect(new Set(counts(text)).size).toBeGreaterThan(1);
  });

  it('changes when programs exit', () => {
    const ends = runs.map((events) =>
      events
        .filter((event) => event.type === 'runtimeStateChanged' && event.to === 'exited' && event.name === 'short')
        .map(({ time }) => Math.round(time))
        .join(),
    );
    expect(new Set(ends).size).toBe(seeds.length);
  });
});
