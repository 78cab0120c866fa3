/** Every scenario against its golden text. `UPDATE_GOLDEN=1` writes the texts anew: read the difference before it is committed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Simulation } from '@podscope/simulation';
import { FlowText } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { scenarios } from './library.ts';
import { beginScenario, simulationOptionsOf } from './play.ts';
import type { Scenario, ScenarioProfile } from './scenario.ts';

const golden = (id: string, profile: string): string => join(import.meta.dirname, '../test/golden', `${id}.${profile}.txt`);

async function flowOf(scenario: Scenario, profile: ScenarioProfile): Promise<string> {
  const simulation = new Simulation(simulationOptionsOf(scenario, profile));
  await simulation.start();
  const begin = simulation.clock.now();
  try {
    await beginScenario(scenario, simulation);
    await simulation.clock.advance(scenario.duration * 1_000);
    const text = new FlowText();
    const lines = simulation.cluster.log
      .after(0)
      .flatMap((event) => text.lines(event))
      .map(({ time, depth, text: line }) => `${((time - begin) / 1_000).toFixed(3).padStart(9)}  ${'  '.repeat(depth)}${line}`);
    return `${lines.join('\n')}\n`;
  } finally {
    await simulation.stop();
  }
}

describe.each(scenarios.flatMap((scenario) => scenario.profiles.map((profile) => ({ scenario, profile, id: scenario.id }))))(
  '$id in $profile',
  ({ scenario, profile }) => {
    it('plays as it is written down', async () => {
      const file = golden(scenario.id, profile);
      const flow = await flowOf(scenario, profile);
      if (process.env['UPDATE_GOLDEN']) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, flow);
      }
      expect(flow).toBe(readFileSync(file, 'utf8'));
    });
  },
);

describe('the library', () => {
  it('names each scenario once, in words that fit an address', () => {
    const ids = scenarios.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('says everything in both languages', () => {
    for (const { title, summary, notice, differs } of scenarios)
      for (const text of [title, summary, ...notice, ...(differs ? [differs] : [])]) {
        expect(text.en).not.toBe('');
        expect(text.zh).toMatch(/[\u4e00-\u9fff]/);
      }
  });
});
