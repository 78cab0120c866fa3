/**
 * Takes a class of 30 learners through a lesson. Each learner has an engine of their own, plays each scene in it, and
 * answers. The server plays the scene, too, and its verdict must equal the verdict of the learner's run.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lessonQuestionId, type Place, tallyAnswers } from '@podscope/classroom';
import { questionsOf, reportCsv } from '@podscope/classroom/report';
import { type Lesson, type LessonStep, parseLesson, rightOption } from '@podscope/lessons';
import { Simulation } from '@podscope/node/virtual';
import { beginScenario, findScenario, simulationOptionsOf } from '@podscope/scenarios';
import { repositoryRoot } from '@podscope/server/repository';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { meets } from '../ui/figure.ts';
import { measureClass } from './class-delay.ts';
import { ClassMember } from './class-member.ts';
import { type ClassProcess, startLocalClass } from './class-process.ts';

const count = 30;

const lesson: Lesson = (() => {
  const file = join(repositoryRoot, 'packages/lessons/lessons/en/pod-start.md');
  const parsed = parseLesson(readFileSync(file, 'utf8')).lesson;
  if (!parsed) throw new Error('the lesson can’t be read');
  return parsed;
})();

let server: ClassProcess;
let teacher: ClassMember;
const learners: ClassMember[] = [];

beforeAll(async () => {
  server = await startLocalClass();
  teacher = await ClassMember.teacher(server.port, server.token);
  for (let index = 0; index < count; index++)
    learners.push(await ClassMember.learner(server.port, server.code, index % 5 === 4 ? '' : `Learner ${index + 1}`));
});
afterAll(async () => {
  for (const member of [teacher, ...learners]) member.drop();
  await server.stop();
});

const placeOf = (step: LessonStep, phase: Place['phase']): Place => ({
  lesson: {
    id: lesson.id,
    step: lesson.steps.indexOf(step),
    stepId: step.id,
    steps: lesson.steps.length,
  },
  phase,
});

/** Plays a step in an engine of the learner's own. @returns the index of the right option */
async function playStep({ scene }: LessonStep, seed: number): Promise<number | undefined> {
  const scenario = findScenario(scene?.scenario ?? '');
  if (!scene || !scenario) return undefined;
  const simulation = new Simulation({ ...simulationOptionsOf(scenario, scene.profile), seed });
  await simulation.start();
  try {
    const begin = simulation.clock.now();
    await beginScenario(scenario, simulation);
    await simulation.clock.advance((scene.until ?? scene.at) * 1_000);
    return rightOption(scene, { begin, events: simulation.nodeHost.log.after(0) });
  } finally {
    await simulation.stop();
  }
}

const questions = lesson.steps.filter(({ question }) => question !== undefined);

/** Returns the option to choose: every third learner chooses the last option, all others the first. */
const choiceOf = (index: number, options: number): number => (index % 3 === 0 ? options - 1 : 0);

it('plays the lesson with 30 learners, and the teacher sees every answer with its verdict', async () => {
  const task = teacher.event('task');
  teacher.send({ type: 'task', task: { id: 'lesson', kind: 'lesson', lesson: lesson.id } });
  await task;
  const right = new Map<string, number>();
  for (const step of lesson.steps) {
    for (const [index, learner] of learners.entries()) {
      learner.send({ type: 'moved', place: placeOf(step, 'ready') });
      if (!step.question) continue;
      const question = lessonQuestionId(lesson.id, step.id);
      const answer = choiceOf(index, step.question.options.length);
      learner.send({ type: 'answered', question, answer });
      const actual = await playStep(step, index);
      expect(actual).toBeDefined();
      const isRight = actual === answer;
      if (isRight) right.set(question, (right.get(question) ?? 0) + 1);
      // For some learners the connection breaks between the answer and its verdict; neither may be lost.
      if (index % 10 === 7) {
        learner.drop();
        await learner.connect();
      }
      // Every third learner claims that the answer is right, even if it is wrong.
      learner.send({ type: 'judged', question, verdict: { right: isRight || index % 3 === 0 } });
      learner.send({ type: 'moved', place: placeOf(step, 'over') });
    }
  }
  for (const learner of learners) learner.send({ type: 'taskStatus', task: 'lesson', status: 'done' });
  const seen = (): number =>
    Object.values(teacher.state.learners).filter(({ tasks }) => tasks['lesson']?.status === 'done').length;
  await expect.poll(seen).toBe(count);
  const answers = () => Object.values(teacher.state.learners).flatMap((learner) => Object.values(learner.answers));
  await expect.poll(() => answers().filter(({ verdict }) => verdict).length).toBe(count * questions.length);
  expect(answers().some(({ verdict }) => verdict?.unverified)).toBe(false);
  for (const step of questions) {
    const tally = tallyAnswers(teacher.state, lessonQuestionId(lesson.id, step.id));
    expect(tally.reduce((sum, bar) => sum + bar.count, 0)).toBe(count);
    const rightBars = tally.filter((bar) => bar.right === true).reduce((sum, bar) => sum + bar.count, 0);
    expect(rightBars).toBe(right.get(lessonQuestionId(lesson.id, step.id)) ?? 0);
  }
  expect(learners.every(({ snapshots }) => snapshots === 1)).toBe(true);
});

it('reports every learner and question, and deletes the names at the end', async () => {
  const texts = {
    title: 'Class',
    learner: 'Name',
    unnamed: (number: number) => `Nameless ${number}`,
    right: 'right',
    wrong: 'wrong',
    undecided: 'not decided',
    unverified: (verdict: string) => `${verdict}, not verified`,
    unanswered: 'no answer',
    score: 'Score',
    tasks: 'Tasks',
    questions: 'Questions',
    rightShare: 'Share',
    language: 'en',
  };
  const report = (): string => {
    const columns = questionsOf(teacher.state).map((id) => ({ id, text: id, answerText: String }));
    return reportCsv(teacher.state, columns, texts);
  };
  expect(report().trim().split('\r\n')).toHaveLength(count + 1);
  expect(report()).toContain('Learner 1,');
  const ended = teacher.event('ended');
  teacher.send({ type: 'end' });
  await ended;
  expect(report()).not.toContain('Learner 1,');
  expect(report()).toContain('Nameless 1,');
});

it("delivers a teacher's action to 60 learners, with at most 300 MB", async () => {
  // The benchmark judges the times.
  const figures = (await measureClass(60)).filter(({ unit, value }) => unit !== 'ms' && !Number.isNaN(value));
  expect(figures.length).toBeGreaterThan(0);
  expect(figures.filter((figure) => !meets(figure))).toEqual([]);
});
