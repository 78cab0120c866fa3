import { knownReferences, parseLesson, validateLesson } from '@podscope/lessons';
import { lessonProblemTexts } from '@podscope/lessons/problem-texts';
import { readOwnScenario, scenarios } from '@podscope/scenarios';
import { expect, it } from 'vitest';
import type { translate } from '../../../base/i18n/i18n.ts';
import { lessonProblems } from './messages.zh-CN.ts';
import { translateLessonProblem } from './translate-problem.ts';

const inChinese = (({ id }: { readonly id: string }) => lessonProblems[id]) as typeof translate;
const known = knownReferences({ scenarios, recordings: [], points: [], readScenario: readOwnScenario });

const placeholdersOf = (text = ''): readonly string[] =>
  Array.from(text.matchAll(/\{\w+\}/g), ([name]) => name).toSorted();

it('has a Chinese text with the placeholders of the English one for every problem', () => {
  const wrong = Object.entries(lessonProblemTexts).filter(([id, english]) => {
    const chinese = lessonProblems[`lessonProblems.${id}`];
    // A text that consists of data is the same in both languages.
    const isData = !/[a-z]/.test(english.replaceAll(/\{\w+\}/g, ''));
    const isTranslated = isData || /\p{Script=Han}/u.test(chinese ?? '');
    return !isTranslated || placeholdersOf(chinese).join() !== placeholdersOf(english).join();
  });
  expect(wrong).toEqual([]);
});

/** Returns the problems of a lesson with this front matter and step, in Chinese. */
function problemsOf(title: string, step: string): string[] {
  const text = `---\nid: own\ntitle: ${title}\nsummary: Crashes.\nminutes: 1\n---\n\n## One {#one}\n\n${step}\n`;
  const { lesson, problems } = parseLesson(text);
  return [...problems, ...(lesson ? validateLesson(lesson, known) : [])].map((problem) =>
    translateLessonProblem(inChinese, problem, 'own.md'),
  );
}

const scene = (...lines: readonly string[]): string => ['```scene', ...lines, '```', '', 'Text.'].join('\n');
const options = 'options: [{ never: { type: backOff } }, { happens: { type: backOff } }]';

it.each([
  ["''", scene('scenario: crash-loop'), 'own.md:3: 文件头：title：不能为空'],
  ['A', '', 'own.md:8: 步骤 one：没有正文'],
  ['A', scene('scenario: crash-lop'), 'own.md:11: 步骤 one：场景 “crash-lop” 不存在'],
  ['A', scene('scenario: crash-loop', 'at: 9', 'until: 4'), 'own.md:13: 步骤 one：“until”（4 秒）早于 “at”（9 秒）'],
  [
    'A',
    scene('scenario: crash-loop', 'expect: [{ times: 2 }]'),
    'own.md:12: 步骤 one：场景设置：expect.0：必须有 “happens” 或 “never” 之一',
  ],
  [
    'A',
    scene('scenario: crash-loop', 'expect: [{ happens: { type: backOff }, times: two }]'),
    'own.md:12: 步骤 one：场景设置：expect.0.times：必须是不小于 1 的整数，或一个范围：{ min: 2, max: 5 }',
  ],
  ['A', scene('scenario: [x'), /^own\.md:\d+: 步骤 one：场景设置：[A-Z]/],
  [
    'A',
    `${scene('scenario: crash-loop', 'until: 9', options)}\n\n? When?\n\n- [ ] Now\n- [ ] Later`,
    'own.md:20: 步骤 one：选项之后缺少正文：回答之后会显示它',
  ],
  [
    'A',
    `${scene('scenario: crash-loop')}\n\n? When?`,
    'own.md:16: 步骤 one：问题没有选项：选项是形如 “- [ ] 立即” 的行',
  ],
  ['A', 'Text.', 'own.md:8: 第一个步骤需要场景设置：否则没有可看的内容'],
])('is Chinese for the problems of title %s with step %j', (title, step, problem) => {
  const isExpected = (text: string): boolean => (typeof problem === 'string' ? text === problem : problem.test(text));
  expect(problemsOf(title, step)).toSatisfy((texts: readonly string[]) => texts.some(isExpected));
});
