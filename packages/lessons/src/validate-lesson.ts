/** Validates references from a lesson to scenarios, points and containers, and the consistency of its steps. */
import type { Known } from './known.ts';
import type { Claim, Exercise, Lesson, LessonStep, Scene } from './model.ts';
import type { LessonProblem } from './problem.ts';
import { checkScenario } from './scenario-text.ts';

/** A problem with one member of the scene. */
type SceneProblem = readonly [word: keyof Scene, message: string];

/** A problem with one member of the exercise. */
type ExerciseProblem = readonly [word: keyof Exercise, message: string];

const isPlain = (value: unknown): value is string => typeof value === 'string' && !value.startsWith('~');

/** Returns the points and the containers that the claims refer to. */
function namedBy(claims: readonly Claim[]): {
  readonly points: readonly string[];
  readonly containers: readonly string[];
} {
  const patterns = claims.flatMap(({ happens, never }) => happens ?? never ?? []);
  return {
    points: patterns.map((pattern) => pattern['point']).filter(isPlain),
    // In events, the sandbox appears as the container `POD`.
    containers: patterns
      .flatMap((pattern) => [
        pattern['container'],
        ...(pattern.type === 'runtimeStateChanged' ? [pattern['name']] : []),
      ])
      .filter(isPlain)
      .filter((name) => name !== 'POD'),
  };
}

/** Splits a text into the words that may be names. */
const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/[^\w.-]+/));

function* problemsOfScene(scene: Scene, { scenarios, recordings, points }: Known): Generator<SceneProblem> {
  const { profile, at, until = at, breakpoint, look = [], options, expect = [] } = scene;
  const kind = scene.recording === undefined ? 'scenario' : 'recording';
  const name = `${kind} ${scene[kind]}`;
  const played = (kind === 'scenario' ? scenarios : recordings).get(scene[kind] ?? '');
  if (!played) yield [kind, `there is no ${name}`];
  if (played && !played.profiles.includes(profile))
    yield [
      'profile',
      `${name} ${kind === 'scenario' ? 'is not played' : 'was not made'} as ${profile}, but as ` +
        played.profiles.join(', '),
    ];
  if (played && until > played.duration)
    yield [
      scene.until === undefined ? 'at' : 'until',
      `${name} is over after ${played.duration} s, before the ${until} s of the scene`,
    ];
  if (until < at) yield ['until', `"until" (${until} s) lies before "at" (${at} s)`];
  if (options && until === at) yield ['options', 'options are judged at "until", which has to be later than "at"'];
  const references: readonly (readonly [keyof Scene, ReturnType<typeof namedBy>])[] = [
    ['breakpoint', { points: breakpoint ? [breakpoint.point] : [], containers: [] }],
    [
      'look',
      {
        points: look.flatMap((each) => ('point' in each ? (each.point ?? []) : [])),
        containers: look.flatMap((each) => ('container' in each ? (each.container ?? []) : [])),
      },
    ],
    ['options', namedBy(options ?? [])],
    ['expect', namedBy(expect)],
  ];
  const text = played && `${played.manifest} ${JSON.stringify(played.acts ?? [])}`;
  const names = text === undefined ? undefined : namesIn(text);
  const isThere = (container: string): boolean => names?.has(container) ?? true;
  for (const [word, named] of references) {
    for (const point of new Set(named.points)) if (!points.has(point)) yield [word, `there is no point ${point}`];
    for (const container of new Set(named.containers))
      if (!isThere(container)) yield [word, `${name} has no container ${container}`];
  }
}

function* problemsOfExercise(
  exercise: Exercise,
  goalTexts: number,
  { scenarios, points }: Known,
): Generator<ExerciseProblem> {
  const { profile, pod, seconds, goals, look = [] } = exercise;
  const name = `scenario ${exercise.scenario}`;
  const played = scenarios.get(exercise.scenario);
  if (!played) {
    yield ['scenario', `there is no ${name}`];
    return;
  }
  if (!played.profiles.includes(profile))
    yield ['profile', `${name} is not played as ${profile}, but as ${played.profiles.join(', ')}`];
  if (!namesIn(played.manifest).has(pod)) yield ['pod', `${name} has no pod ${pod}`];
  if (goals.length !== goalTexts)
    yield ['goals', `the exercise has ${goals.length} goals, and ${goalTexts} texts of goals`];
  for (const goal of goals)
    if ('status' in goal && goal.for > seconds)
      yield ['goals', `a goal lasts ${goal.for} s, but the attempt ends after ${seconds} s`];
  const claims = goals.flatMap((goal) => ('status' in goal ? [] : [goal]));
  const pointed = look.flatMap((each) => ('point' in each ? (each.point ?? []) : []));
  for (const [word, named] of [
    ['goals', namedBy(claims).points],
    ['look', pointed],
  ] as const)
    for (const point of new Set(named)) if (!points.has(point)) yield [word, `there is no point ${point}`];
}

function problemsOfStep(
  { id, question, scene, exercise, task, lines }: LessonStep,
  known: Known,
): readonly LessonProblem[] {
  const [asked, claimed] = [question?.options.length ?? 0, scene?.options?.length ?? 0];
  const reported = scene
    ? [...problemsOfScene(scene, known)]
    : exercise
      ? [...problemsOfExercise(exercise, task?.goals.length ?? 0, known)]
      : [];
  return [
    ...(task && !exercise
      ? [{ line: lines.heading, message: `step ${id}: the goals need a block \`\`\`exercise` }]
      : []),
    ...(asked === claimed
      ? []
      : [
          {
            line: lines.heading,
            message: `step ${id}: the question has ${asked} options, the scene claims for ${claimed}`,
          },
        ]),
    ...reported.map(([word, message]) => ({
      line: lines.words?.[word] ?? lines.scene ?? lines.exercise ?? lines.heading,
      message: `step ${id}: ${message}`,
    })),
  ];
}

/** Returns all problems as sentences that name the step, each with its line. */
export function validateLesson(lesson: Lesson, known: Known): readonly LessonProblem[] {
  const { steps } = lesson;
  const own = lesson.scenarios.map((each) => ({ id: each.id, ...checkScenario(each, known.readScenario) }));
  const playable = own.flatMap(({ id, scenario }) => (scenario ? [[id, scenario] as const] : []));
  const all: Known = { ...known, scenarios: new Map([...known.scenarios, ...playable]) };
  // A scenario with a problem is reported once, not by each step that plays it.
  const isBroken = ({ scene, exercise }: LessonStep): boolean =>
    own.some(({ id, scenario }) => id === (scene ?? exercise)?.scenario && !scenario);
  return [
    ...own.flatMap(({ problems }) => problems),
    ...(steps[0] && !steps[0].scene && !steps[0].exercise
      ? [{ line: steps[0].lines.heading, message: 'the first step needs a scene: there is nothing to look at' }]
      : []),
    ...steps.filter((step) => !isBroken(step)).flatMap((step) => problemsOfStep(step, all)),
  ].toSorted((a, b) => a.line - b.line);
}
