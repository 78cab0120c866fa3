/** Checks that an exercise has a solution, and needs one. */
import { instant } from '@podscope/trace';
import type { Run } from '../claim.ts';
import type { LessonStep } from '../model.ts';
import type { LessonProblem } from '../problem.ts';
import { attemptScenario, goalsMet } from './attempt.ts';

/**
 * Returns the problems of an exercise: goals that its solution doesn't meet, or goals that the unchanged manifest
 * meets. Returns an empty list for a step without an exercise.
 * @param scenario the exercise's scenario, or its parsed YAML
 * @param play plays a scenario from start to end
 */
export async function checkExercise<S extends { readonly manifest: string }>(
  { id, exercise, task, solution, lines }: LessonStep,
  scenario: S,
  play: (scenario: S) => Promise<Run>,
): Promise<readonly LessonProblem[]> {
  if (!exercise || !task) return [];
  const line = lines.words?.['goals'] ?? lines.heading;
  const problem = (message: string): LessonProblem => ({ line, message: `step ${id}: ${message}` });
  if (solution === undefined) return [problem('the exercise has no solution: a block ```solution with a manifest')];
  const judge = async (manifest: string): Promise<readonly boolean[]> => {
    const { begin, events } = await play(attemptScenario(scenario, exercise, manifest));
    return goalsMet(exercise, { begin: instant(begin + exercise.at * 1_000), events });
  };
  const [unchanged, solved] = [await judge(scenario.manifest), await judge(solution)];
  return [
    ...solved.flatMap((isMet, index) => (isMet ? [] : [problem(`the solution doesn't meet goal ${index + 1}`)])),
    ...(unchanged.every(Boolean) ? [problem('the unchanged manifest already meets all goals')] : []),
  ];
}
