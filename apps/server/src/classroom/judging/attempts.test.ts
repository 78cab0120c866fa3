import { expect, it } from 'vitest';
import { Attempts } from './attempts.ts';
import type { JudgeRequest, JudgeResult } from './judge-request.ts';

const attempt = (manifest: string) => ({ kind: 'attempt', lesson: 'l', step: 's', manifest }) as const;

it('keeps the newest ten of a learner’s waiting attempts', async () => {
  const judged: string[] = [];
  const judge = (): Promise<JudgeResult> => Promise.resolve({ kind: 'goals', goals: [true] });
  const attempts = new Attempts(judge, (_learner, question) => judged.push(question));
  // The first attempt is judged at once, so it doesn't wait.
  for (let index = 0; index <= 12; index++) attempts.add('ada', `exercise-${index}`, attempt(''));
  attempts.add('bo', 'last', attempt(''));
  await expect.poll(() => judged).toContain('last');
  expect(judged).toEqual([
    'exercise-0',
    ...Array.from({ length: 10 }, (_each, index) => `exercise-${index + 3}`),
    'last',
  ]);
});

it('judges the newest waiting attempt of each learner at each exercise, in the order of arrival', async () => {
  const judged: (readonly [string, string, number])[] = [];
  const played: string[] = [];
  let finishFirst: (result: JudgeResult) => void = () => undefined;
  const judge = (request: JudgeRequest): Promise<JudgeResult> => {
    played.push(request.kind === 'attempt' ? request.manifest : '');
    if (played.length > 1) return Promise.resolve({ kind: 'goals', goals: [true] });
    return new Promise((resolve) => {
      finishFirst = resolve;
    });
  };
  const attempts = new Attempts(judge, (learner, question, number) => judged.push([learner, question, number]));
  attempts.add('ada', 'image', attempt('image 1'));
  attempts.add('ada', 'image', attempt('image 2'));
  attempts.add('ada', 'memory', attempt('memory 1'));
  attempts.add('bo', 'image', attempt('image of bo'));
  attempts.add('ada', 'image', attempt('image 3'));
  finishFirst({ kind: 'goals', goals: [false] });
  await expect.poll(() => judged).toHaveLength(4);
  expect(played).toEqual(['image 1', 'image 3', 'memory 1', 'image of bo']);
  expect(judged).toEqual([
    ['ada', 'image', 1],
    ['ada', 'image', 3],
    ['ada', 'memory', 1],
    ['bo', 'image', 1],
  ]);
});
