/** Every lesson is played on the simulator: its questions have one right answer each, and what it says is true. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kuberuntimePoints, syncPodStepsV136 } from '@podscope/kuberuntime';
import { scenarios } from '@podscope/scenarios';
import { type PlayThrough, playThrough } from '@podscope/scenarios/testing';
import { simulatorPoints } from '@podscope/simulator';
import { describe, expect, it } from 'vitest';
import {
  claimHolds,
  formatLessonProblem,
  type Known,
  type Lesson,
  type LessonStep,
  parseLesson,
  rightOption,
  translateLesson,
  validateLesson,
} from './index.ts';

const directory = join(import.meta.dirname, '../lessons');
const filesOf = (language: string): readonly string[] => readdirSync(join(directory, language)).toSorted();

function read(language: string, file: string): Lesson {
  const { lesson, problems } = parseLesson(readFileSync(join(directory, language, file), 'utf8'));
  if (!lesson) throw new Error(problems.map((problem) => formatLessonProblem(problem, `${language}/${file}`)).join('\n'));
  return lesson;
}

const known: Known = {
  scenarios: new Map(scenarios.map((scenario) => [scenario.id, scenario])),
  points: new Set([...Object.values(kuberuntimePoints), ...Object.values(syncPodStepsV136), ...simulatorPoints].map(({ id }) => id)),
};

const plays = new Map<string, Promise<PlayThrough>>();

/** The run a step is about, as far as `seconds`. */
async function playTo({ scenario: id, profile, seed }: NonNullable<LessonStep['scene']>, seconds: number): Promise<PlayThrough> {
  const scenario = scenarios.find((each) => each.id === id);
  if (!scenario) throw new Error(`there is no scenario ${id}`);
  const key = `${id} ${profile} ${seed ?? ''}`;
  const playing = plays.get(key) ?? playThrough(scenario, profile, seed);
  plays.set(key, playing);
  const { begin, events } = await playing;
  return { begin, events: events.filter(({ time }) => time <= begin + seconds * 1_000) };
}

const files = filesOf('en');
const lessons = files.map((file) => read('en', file));

describe.each(lessons)('$id', (lesson) => {
  it('names only what there is', () => {
    expect(validateLesson(lesson, known)).toEqual([]);
    expect(files).toContain(`${lesson.id}.md`);
  });

  it.each(lesson.steps)('$id is true', { timeout: 30_000 }, async ({ scene, question }) => {
    if (!scene) return;
    const run = await playTo(scene, scene.until ?? scene.at);
    expect((scene.expect ?? []).filter((claim) => !claimHolds(claim, run))).toEqual([]);
    if (!question) return;
    // Whatever is right, one option is, and only one.
    expect((scene.options ?? []).filter((claim) => claimHolds(claim, run))).toHaveLength(1);
    expect(rightOption(scene, run)).toBeDefined();
    if (!scene.breakpoint) return;
    const { point } = scene.breakpoint;
    expect(run.events.some((event) => event.type === 'spanStarted' && event.point === point)).toBe(true);
  });

  it('is there in Chinese, with the same steps and as many options', () => {
    const { lesson: translated, problems } = translateLesson(lesson, read('zh-CN', `${lesson.id}.md`));
    expect(problems).toEqual([]);
    expect(translated?.language).toBe('zh-CN');
    for (const { title, body } of translated?.steps ?? []) expect(title + body).toMatch(/[\u4e00-\u9fff]/);
  });
});

it('has at least ten lessons', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(10);
  expect(filesOf('zh-CN')).toEqual(files);
});
