import { formatLessonProblem, knownReferences, parseLesson, validateLesson } from '@podscope/lessons';
import { readOwnScenario, scenarios } from '@podscope/scenarios';
import { describe, expect, it } from 'vitest';
import { problemText } from './problem-text.ts';

const known = knownReferences({ scenarios, recordings: [], points: [], readScenario: readOwnScenario });

/** Returns the problems of a lesson with this front matter and step, in Chinese. */
function problemsOf(title: string, step: string): string[] {
  const text = `---\nid: own\ntitle: ${title}\nsummary: Crashes.\nminutes: 1\n---\n\n## One {#one}\n\n${step}\n`;
  const { lesson, problems } = parseLesson(text);
  return [...problems, ...(lesson ? validateLesson(lesson, known) : [])].map((problem) =>
    problemText(formatLessonProblem(problem, 'own.md'), 'zh-CN'),
  );
}

const scene = (...lines: readonly string[]): string => ['```scene', ...lines, '```', '', 'Text.'].join('\n');
const options = 'options: [{ never: { type: backOff } }, { happens: { type: backOff } }]';

describe('problemText', () => {
  it.each([
    ["''", scene('scenario: crash-loop'), 'own.md:3: front matter: title：不能为空'],
    ['A', '', 'own.md:8: 步骤 one：没有正文'],
    ['A', scene('scenario: crash-lop'), 'own.md:11: 步骤 one：scenario “crash-lop” 不存在'],
    ['A', scene('scenario: crash-loop', 'at: 9', 'until: 4'), 'own.md:13: 步骤 one：“until”（4 秒）早于 “at”（9 秒）'],
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
    expect(problemsOf(title, step)).toContain(problem);
  });

  it('stays in English for an unknown problem and on an English page', () => {
    expect(problemText('own.md:2: front matter: bad indentation', 'zh-CN')).toBe(
      'own.md:2: front matter: bad indentation',
    );
    expect(problemText('own.md:8: step one: there is no text', 'en')).toBe('own.md:8: step one: there is no text');
  });
});
