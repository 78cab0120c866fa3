/**
 * Checks an exercise that is being written: plays the unchanged manifest and the solution, and judges the goals on both
 * runs.
 */
import { isRecord } from '@podscope/base';
import {
  type DraftExercise,
  type Exercise,
  exerciseSchema,
  judgeAttempt,
  type Known,
  type PlayAttempt,
  type Problem,
  type Run,
  readGoal,
} from '@podscope/lessons';
import { findScenario } from '@podscope/scenarios';
import type { PlayRun } from './play-run.ts';

/**
 * The state of a goal: its problem, or which of the two attempts meet it. An attempt that wasn't played is undefined.
 */
export type GoalCheck =
  | { readonly problem: Problem }
  | { readonly problem?: undefined; readonly unchanged: boolean | undefined; readonly solved: boolean | undefined };

export interface ExerciseCheck {
  readonly goals: readonly GoalCheck[];
  /** The run of the unchanged manifest. */
  readonly unchanged: Run | undefined;
  readonly solved: Run | undefined;
  /** Why the solution can't be applied. */
  readonly refusals: readonly string[];
}

export const noExerciseCheck: ExerciseCheck = { goals: [], unchanged: undefined, solved: undefined, refusals: [] };

/** A scenario as parsed YAML. */
export type ExerciseScenario = Readonly<Record<string, unknown>> & { readonly manifest: string };

const isScenario = (value: unknown): value is ExerciseScenario =>
  isRecord(value) && typeof value['manifest'] === 'string';

/** Returns a scenario of the draft or of the library, as parsed YAML; undefined for an unknown id. */
export function exerciseScenario(own: readonly unknown[], id: unknown): ExerciseScenario | undefined {
  const brought = own.find((value) => isRecord(value) && value['id'] === id);
  if (brought !== undefined) return isScenario(brought) ? brought : undefined;
  const found = findScenario(String(id));
  if (!found || found.policy !== undefined) return undefined;
  const { manifest, scripts, simulator, acts, duration, profiles } = found;
  return { id, manifest, scripts, simulator, acts, duration, profiles };
}

/** Returns a function that plays attempts at an exercise. */
export const attemptPlayer =
  ({ at, seconds, ...options }: Exercise, playRun: PlayRun): PlayAttempt<ExerciseScenario> =>
  (attempt) =>
    playRun(attempt, options, at + seconds);

/** Returns the node's warnings about manifests that it refused. */
const refusalsIn = ({ begin, events }: Run): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'output' && event.time >= begin && event.attributes?.['act'] === 'apply'
      ? [String(event.attributes['error'])]
      : [],
  );

/** Judges the valid goals of an exercise on the runs of the unchanged manifest and of the solution. */
export async function checkExerciseDraft(
  own: readonly unknown[],
  { words, goals, solution }: DraftExercise,
  { readScenario }: Known,
  playRun: PlayRun,
): Promise<ExerciseCheck> {
  const read = goals.map(readGoal);
  const valid = read.flatMap((goal) => (goal.problem === undefined ? [goal.value] : []));
  // An exercise without goals is also played, because its runs suggest goals.
  const { data: exercise } = exerciseSchema.safeParse({
    ...words,
    goals: valid.length > 0 ? valid : [{ status: {}, for: 1 }],
  });
  const scenario = exercise && exerciseScenario(own, exercise.scenario);
  const isPlayable = scenario !== undefined && readScenario(scenario).scenario !== undefined;
  const judge = async (manifest: string) =>
    exercise && isPlayable && manifest.trim() !== ''
      ? judgeAttempt(exercise, scenario, manifest, attemptPlayer(exercise, playRun))
      : undefined;
  const unchanged = await judge(scenario?.manifest ?? '');
  const solved = await judge(solution);
  let place = 0;
  return {
    goals: read.map(({ problem }) => {
      if (problem !== undefined) return { problem };
      const index = place++;
      return { unchanged: unchanged?.met[index], solved: solved?.met[index] };
    }),
    unchanged: unchanged?.run,
    solved: solved?.run,
    refusals: solved ? refusalsIn(solved.run) : [],
  };
}
