/** Checks that the solution of an exercise meets its goals, and that the unchanged manifest doesn't. */
import { instant } from '@podscope/trace';
import type { Run } from '../claims/claim.ts';
import type { Exercise, LessonStep } from '../model.ts';
import { type LessonProblem, type ProblemText, problemText } from '../problem.ts';
import { attemptScenario, goalsMet } from './attempt.ts';

/** Plays a scenario from start to end. */
export type PlayAttempt<S> = (scenario: S) => Promise<Run>;

/**
 * Plays an attempt and returns the goals that it meets, and its run, which begins when the manifest is applied.
 * @param scenario the exercise's scenario, or its parsed YAML
 */
export async function judgeAttempt<S extends object>(
  exercise: Exercise,
  scenario: S,
  manifest: string,
  play: PlayAttempt<S>,
): Promise<{ readonly run: Run; readonly met: readonly boolean[] }> {
  const { begin, events } = await play(attemptScenario(scenario, exercise, manifest));
  const run: Run = { begin: instant(begin + exercise.at * 1_000), events };
  return { run, met: goalsMet(exercise, run) };
}

/**
 * Returns the problems of an exercise: goals that its solution doesn't meet, or goals that the unchanged manifest
 * meets. Returns an empty list for a step without an exercise.
 * @param scenario the exercise's scenario, or its parsed YAML
 */
export async function checkExercise<S extends { readonly manifest: string }>(
  { id, exercise, task, solution, lines }: LessonStep,
  scenario: S,
  play: PlayAttempt<S>,
): Promise<readonly LessonProblem[]> {
  if (!exercise || !task) return [];
  const line = lines.words?.['goals'] ?? lines.heading;
  const parts = [problemText('step', { step: id })];
  const problem = (text: ProblemText): LessonProblem => ({ line, parts, ...text });
  if (solution === undefined) return [problem(problemText('noSolution'))];
  const { met: unchanged } = await judgeAttempt(exercise, scenario, scenario.manifest, play);
  const { met: solved } = await judgeAttempt(exercise, scenario, solution, play);
  return [
    ...solved.flatMap((isMet, index) => (isMet ? [] : [problem(problemText('goalNotMet', { goal: index + 1 }))])),
    ...(unchanged.every(Boolean) ? [problem(problemText('alreadySolved'))] : []),
  ];
}
