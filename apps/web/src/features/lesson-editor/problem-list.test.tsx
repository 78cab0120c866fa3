import { pointSources } from '@podscope/debugger/point-sources';
import { knownReferences } from '@podscope/lessons';
import { readOwnScenario, scenarios } from '@podscope/scenarios';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followLanguage } from '../../base/i18n/i18n.ts';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { checkDraft } from './draft/check-draft.ts';
import { addExercise, newDraft, openDraft, useDraft } from './draft/draft-store.ts';
import { ProblemList } from './ProblemList.tsx';

const known = knownReferences({
  scenarios,
  recordings: [],
  points: Object.keys(pointSources.points),
  readScenario: readOwnScenario,
});
/** Checks the draft without its runs, which need workers. */
const check = () =>
  checkDraft(useDraft.getState().draft, {
    references: () => Promise.resolve(known),
    playRun: () => Promise.resolve({ begin: 0 as never, events: [] }),
  });

beforeEach(async () => {
  newDraft();
  usePreferences.setState({ language: 'zh-CN' });
  await followLanguage();
});
afterEach(() => act(() => usePreferences.setState({ language: 'system' })));

it('shows problems in Chinese on a Chinese page, and in English after the language changes', async () => {
  addExercise();
  const { problems } = await check();
  render(<ProblemList problems={problems} />);
  const list = screen.getByRole('list');
  expect(Array.from(list.children, ({ textContent }) => textContent)).toEqual([
    'my-lesson.md:3: 文件头：title：不能为空',
    'my-lesson.md:4: 文件头：summary：不能为空',
    'my-lesson.md:24: 步骤 repair：练习没有目标：目标是形如 “- [ ] Pod 就绪” 的行',
  ]);
  act(() => {
    usePreferences.setState({ language: 'en' });
  });
  expect(list.textContent).toContain('my-lesson.md:3: front matter: title: is empty');
});

it('refuses an invalid lesson file with problems in the language of the page', () => {
  expect(() => openDraft('## One', 'own.md')).toThrow('own.md:1: 课程以两行 --- 之间的文件头开始');
});
