/**
 * Compares every scenario with its golden text. `UPDATE_GOLDEN=1` rewrites the texts: review the diff before
 * committing.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findScenario, scenarios } from './library.ts';
import { runsOnDocker, scenarioCategories } from './scenario.ts';
import { flowOf, playThrough } from './whole-run/index.ts';

const directory = join(import.meta.dirname, '../test/golden');
const cases = scenarios.flatMap((scenario) =>
  scenario.profiles.map((profile) => ({ scenario, profile, name: `${scenario.id}.${profile}` })),
);

describe.each(cases)('$name', ({ scenario, profile, name }) => {
  it('produces its golden text', async () => {
    const file = join(directory, `${name}.txt`);
    const flow = flowOf(await playThrough(scenario, profile));
    if (process.env['UPDATE_GOLDEN']) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(file, flow);
    }
    expect(flow).toBe(readFileSync(file, 'utf8'));
  });
});

describe('the library', () => {
  it('has a golden text for every scenario and profile, and no others', () => {
    expect(readdirSync(directory).toSorted()).toEqual(cases.map(({ name }) => `${name}.txt`).toSorted());
  });

  it('has unique ids that are valid in URLs', () => {
    const ids = scenarios.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('has scenarios in every category, in display order', () => {
    expect([...new Set(scenarios.map(({ category }) => category))]).toEqual([...scenarioCategories]);
  });

  it('describes the differences between the releases for each scenario that has both', () => {
    expect(
      scenarios.filter(({ profiles, differs }) => profiles.length > 1 !== (differs !== undefined)).map(({ id }) => id),
    ).toEqual([]);
  });

  it("describes the outcome of each scenario on Docker by act, or why it isn't visible there", () => {
    const played = scenarios.filter(runsOnDocker);
    expect(played.length).toBeGreaterThanOrEqual(56);
    for (const { id, acts = [], docker } of played)
      expect({ id, moments: docker.before?.length ?? 0 }).toEqual({ id, moments: acts.length });
    const what = played.filter(({ docker: { phase, refused } }) => (phase === undefined) === (refused === undefined));
    expect(what.map(({ id }) => id)).toEqual([]);
  });

  it('distinguishes each scenario from all others by its outcome on Docker', () => {
    const outcomes = scenarios
      .filter(runsOnDocker)
      .map(({ docker }) => JSON.stringify({ ...docker, inV120: undefined, registry: undefined }));
    expect(outcomes.filter((outcome, index) => outcomes.indexOf(outcome) !== index)).toEqual([]);
  });

  it('plays every difference between the releases with both of them on Docker', () => {
    const differences = new Map<string, boolean>();
    for (const { differs, profiles, docker } of scenarios.filter(runsOnDocker)) {
      expect(docker.inV120 === undefined || profiles.includes('v1.20')).toBe(true);
      if (differs) differences.set(differs.en, differences.get(differs.en) === true || docker.inV120 !== undefined);
    }
    // This scenario differs only in its timing, by more than a minute.
    const slower = findScenario('env-edited')?.differs?.en;
    expect([...differences].filter(([, played]) => !played).map(([text]) => text)).toEqual([slower]);
  });

  it('has all texts in both languages', () => {
    const texts = scenarios.flatMap(({ title, summary, notice, differs, docker }) => [
      title,
      summary,
      ...notice,
      ...(differs ? [differs] : []),
      ...('onlySimulated' in docker ? [docker.onlySimulated] : []),
    ]);
    expect(texts.filter(({ en }) => en === '')).toEqual([]);
    // A text that is the same in both languages is a name from the API.
    expect(texts.filter(({ en, zh }) => en !== zh && !/[\u4e00-\u9fff]/.test(zh))).toEqual([]);
  });
});
