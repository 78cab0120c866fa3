import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftOf, formatLesson, readClaim } from './draft.ts';
import type { Lesson } from './model.ts';
import { parseLesson } from './parse/parse-lesson.ts';
import { formatProblem } from './problem.ts';

const directory = join(import.meta.dirname, '../lessons');

function read(text: string): Lesson {
  const { lesson, problems } = parseLesson(text);
  if (!lesson) throw new Error(JSON.stringify(problems));
  return lesson;
}
/** Returns the content of a lesson, without the lines of its file. */
const contentOf = ({ steps, scenarios, ...head }: Lesson) => ({
  ...head,
  scenarios: scenarios.map(({ id, value }) => ({ id, value })),
  steps: steps.map(({ lines: _lines, ...step }) => step),
});

describe.each(readdirSync(join(directory, 'en')))('%s', (file) => {
  it('is the same lesson after it was made a draft and formatted, in both languages', () => {
    const original = read(readFileSync(join(directory, 'en', file), 'utf8'));
    const translation = read(readFileSync(join(directory, 'zh-CN', file), 'utf8'));
    const draft = draftOf(original, translation);
    expect(contentOf(read(formatLesson(draft, 'en')))).toEqual(contentOf(original));
    expect(contentOf(read(formatLesson(draft, 'zh-CN')))).toEqual(contentOf(translation));
  });
});

it('keeps the scenarios that a lesson brings along', () => {
  const scenario = { id: 'mine', manifest: 'kind: Pod\nmetadata: { name: a }\n', duration: 20, acts: [] };
  const draft = { ...draftOf({ ...lessonWithStep(), scenarios: [] }), scenarios: [scenario] };
  expect(read(formatLesson(draft, 'en')).scenarios.map(({ id, value }) => ({ id, value }))).toEqual([
    { id: 'mine', value: scenario },
  ]);
});

function lessonWithStep(): Lesson {
  return read(
    '---\nid: a\ntitle: A\nsummary: B\nminutes: 1\n---\n## One {#one}\n\n```scene\nscenario: mine\n```\n\nText.\n',
  );
}

it('returns the claim of a text, or the reason why it is invalid', () => {
  expect(readClaim('{ happens: { type: backOff }, times: 2 }')).toEqual({
    value: { happens: { type: 'backOff' }, times: 2 },
  });
  const { problem } = readClaim('{ happens: { type: backOf } }');
  expect(problem && formatProblem(problem)).toContain('happens.type');
  expect(readClaim('{ happens: ').problem).toBeDefined();
});
