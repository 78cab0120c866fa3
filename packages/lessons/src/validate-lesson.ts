/** Whether what a lesson names is there, and its steps make sense: what its own text can't tell. */
import type { Lesson, LessonStep, Scene } from './model.ts';
import type { LessonProblem } from './problem.ts';

/** What lessons may name. */
export interface Known {
  /** Scenarios with the profiles they can be played in. */
  readonly scenarios: ReadonlyMap<string, { readonly profiles: readonly string[]; readonly duration: number }>;
  /** Ids of points. */
  readonly points: ReadonlySet<string>;
}

function problemsOfScene({ scenario: id, profile, at, until = at, breakpoint, look, options }: Scene, { scenarios, points }: Known): readonly string[] {
  const scenario = scenarios.get(id);
  const looks = look === undefined ? [] : Array.isArray(look) ? look : [look];
  const named = [...(breakpoint ? [breakpoint.point] : []), ...looks.flatMap((each) => ('point' in each && each.point !== undefined ? [each.point] : []))];
  return [
    ...(scenario ? [] : [`there is no scenario ${id}`]),
    ...(scenario && !scenario.profiles.includes(profile) ? [`scenario ${id} is not played as ${profile}, but as ${scenario.profiles.join(', ')}`] : []),
    ...(scenario && until > scenario.duration ? [`scenario ${id} is over after ${scenario.duration} s, before the ${until} s of the scene`] : []),
    ...(until < at ? [`"until" (${until} s) lies before "at" (${at} s)`] : []),
    ...(options && until === at ? ['options are judged at "until", which has to be later than "at"'] : []),
    ...named.filter((point) => !points.has(point)).map((point) => `there is no point ${point}`),
  ];
}

function problemsOfStep({ id, question, scene, lines }: LessonStep, known: Known): readonly LessonProblem[] {
  const [asked, claimed] = [question?.options.length ?? 0, scene?.options?.length ?? 0];
  return [
    ...(asked === claimed ? [] : [{ line: lines.heading, message: `step ${id}: the question has ${asked} options, the scene claims for ${claimed}` }]),
    ...(scene ? problemsOfScene(scene, known).map((message) => ({ line: lines.scene ?? lines.heading, message: `step ${id}: ${message}` })) : []),
  ];
}

/** All that is wrong, as sentences that name the step, each with its line. */
export const validateLesson = ({ steps }: Lesson, known: Known): readonly LessonProblem[] => [
  ...(steps[0] && !steps[0].scene ? [{ line: steps[0].lines.heading, message: 'the first step needs a scene: there is nothing to look at' }] : []),
  ...steps.flatMap((step) => problemsOfStep(step, known)),
];
