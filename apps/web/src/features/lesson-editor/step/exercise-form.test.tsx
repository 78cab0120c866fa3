import { pointSources } from '@podscope/debugger/point-sources';
import {
  formatLesson,
  formatLessonProblem,
  formatProblem,
  knownReferences,
  parseLesson,
  translateLesson,
} from '@podscope/lessons';
import { findScenario, readOwnScenario, scenarios } from '@podscope/scenarios';
import { playThrough } from '@podscope/scenarios/whole-run';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { checkDraft, type DraftCheck } from '../draft/check-draft.ts';
import { addExercise, changeDraft, newDraft, removeStep, useDraft } from '../draft/draft-store.ts';
import type { PlayRun } from '../draft/play-run.ts';
import { StepForm } from './StepForm.tsx';

const known = knownReferences({
  scenarios,
  recordings: [],
  points: Object.keys(pointSources.points),
  readScenario: readOwnScenario,
});

/** Plays runs in this process, because jsdom has no workers. */
const playRun: PlayRun = (given, { profile, seed }) => {
  const scenario = typeof given === 'string' ? findScenario(given) : readOwnScenario(given).scenario;
  if (!scenario) throw new Error('there is no such scenario');
  return playThrough(scenario, profile, seed);
};
const check = (): Promise<DraftCheck> =>
  checkDraft(useDraft.getState().draft, { references: () => Promise.resolve(known), playRun });

function Form({ checked }: { readonly checked?: DraftCheck }) {
  const { draft, step } = useDraft();
  const shown = draft.steps[step];
  return shown && <StepForm step={shown} options={[]} exercise={checked?.exercises[step]} run={undefined} />;
}

const fill = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

function fillTexts(): void {
  for (const [label, text] of [
    ['Title of the step, English', 'Repair it'],
    ['Title of the step, Chinese', '修复它'],
    ['Text (Markdown), English', 'The pod never starts.'],
    ['Text (Markdown), Chinese', 'Pod 从未启动。'],
    ['Goal, English', 'The pod is Ready for 30 seconds'],
    ['Goal, Chinese', 'Pod 就绪 30 秒'],
    ['Hint (Markdown), English', 'Read the **image**.'],
    ['Hint (Markdown), Chinese', '请看**镜像**。'],
    ['Text after the repair, English', 'The image had a typing error.'],
    ['Text after the repair, Chinese', '镜像名有拼写错误。'],
  ] as const)
    fill(label, text);
}

beforeEach(() => {
  newDraft();
  changeDraft((draft) => ({
    ...draft,
    heads: {
      en: { title: 'A repair', summary: 'A wrong image.' },
      'zh-CN': { title: '一次修复', summary: '错误的镜像。' },
    },
  }));
  addExercise();
});

it('writes an exercise as lesson files that the parser reads, in both languages', async () => {
  render(<Form />);
  fillTexts();
  const { value: broken } = screen.getByLabelText<HTMLTextAreaElement>('Manifest that the learner repairs');
  const solution = broken.replace('bussybox', 'busybox');
  fill('Solution: a manifest that meets all goals', solution);
  const { draft } = useDraft.getState();
  const { lesson, problems } = parseLesson(formatLesson(draft, 'en'));
  expect(problems).toEqual([]);
  expect(lesson?.steps).toMatchObject([
    {
      exercise: { scenario: 'my-lesson-pod', pod: 'web', at: 20, seconds: 60, look: [{ at: 'events' }] },
      task: {
        goals: ['The pod is Ready for 30 seconds'],
        hints: ['Read the **image**.'],
        explanation: 'The image had a typing error.',
      },
      solution,
    },
  ]);
  const translation = parseLesson(formatLesson(draft, 'zh-CN')).lesson;
  expect(lesson && translation && translateLesson(lesson, translation).problems).toEqual([]);
  const { problems: found } = await check();
  expect(found).toEqual([]);
});

it('judges the goals on runs of the unchanged manifest and of the solution', async () => {
  render(<Form />);
  fillTexts();
  const unsolved = await check();
  expect(unsolved.exercises[0]?.goals).toEqual([{ unchanged: false, solved: false }]);
  const problems = unsolved.problems.map(({ file, problem }) => formatLessonProblem(problem, file));
  expect(problems.join()).toMatch(/my-lesson\.md:\d+: step repair: the solution doesn't meet goal 1/);

  const { value } = screen.getByLabelText<HTMLTextAreaElement>('Solution: a manifest that meets all goals');
  fill('Solution: a manifest that meets all goals', value.replace('bussybox', 'busybox'));
  fireEvent.click(screen.getByRole('button', { name: 'Add a goal' }));
  const second = within(screen.getByRole('group', { name: 'Goal 2' }));
  fireEvent.change(second.getByLabelText('Condition: must hold in the attempt'), {
    target: { value: '{ happens: { type: kubernetesEvent, reason: Scheduled }, tims: 2 }' },
  });
  const solved = await check();
  const [first, invalid] = solved.exercises[0]?.goals ?? [];
  expect(first).toEqual({ unchanged: false, solved: true });
  expect(invalid?.problem && formatProblem(invalid.problem)).toContain('tims');
  cleanup();
  render(<Form checked={solved} />);
  expect(screen.getByRole('group', { name: 'Goal 1' }).textContent).toContain(
    'The solution meets it. The unchanged manifest doesn’t meet it.',
  );
  const suggestions = within(screen.getByLabelText('Condition from the attempts for goal 2'));
  expect(suggestions.getByText('{ happens: { type: kubernetesEvent, reason: Started } }')).toBeTruthy();
});

it('names the reason for which the node refuses the solution', async () => {
  render(<Form />);
  fill('Solution: a manifest that meets all goals', 'kind: Pod\nmetadata: { name: web }\n');
  const { exercises } = await check();
  expect(exercises[0]?.goals).toEqual([{ unchanged: false, solved: false }]);
  expect(exercises[0]?.refusals).not.toEqual([]);
});

it('keeps the scenario of an exercise when another step is removed, and drops it with the exercise', () => {
  addExercise();
  removeStep();
  expect(useDraft.getState().draft.scenarios).toHaveLength(1);
  removeStep();
  expect(useDraft.getState().draft.scenarios).toEqual([]);
});
