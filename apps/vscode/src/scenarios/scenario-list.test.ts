import { scenarios } from '@podscope/scenarios';
import { expect, it } from 'vitest';
import { scenarioItems } from './scenario-list.ts';

const printed = JSON.stringify(scenarios);

it('returns every scenario of Podscope in its order, in the language of VS Code', () => {
  const [item] = scenarioItems(printed, 'en-US');
  const [first] = scenarios;
  expect(item).toMatchObject({ label: first?.title.en, description: first?.id, detail: first?.summary.en });
  expect(scenarioItems(printed, 'zh-cn').map(({ label }) => label)).toEqual(scenarios.map(({ title }) => title.zh));
});

it('rejects text that is not a list of scenarios', () => {
  expect(() => scenarioItems('{}', 'en')).toThrow('expected array');
  expect(() => scenarioItems('Podscope', 'en')).toThrow('not valid JSON');
});
