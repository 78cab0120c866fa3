/** Validates references from a lesson to scenarios, points and containers, and the consistency of its steps. */
import type { Known } from './known.ts';
import type { Claim, Exercise, Lesson, LessonStep, Scene } from './model.ts';
import { checkScenario } from './parse/scenario-text.ts';
import { type LessonProblem, type ProblemText, problemText } from './problem.ts';

/** A problem with one member of the scene. */
type SceneProblem = readonly [word: keyof Scene, problem: ProblemText];

/** A problem with one member of the exercise. */
type ExerciseProblem = readonly [word: keyof Exercise, problem: ProblemText];

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
  const { scenario = '', recording } = scene;
  const played = recording === undefined ? scenarios.get(scenario) : recordings.get(recording);
  if (!played)
    yield recording === undefined
      ? ['scenario', problemText('noScenario', { scenario })]
      : ['recording', problemText('noRecording', { recording })];
  if (played && !played.profiles.includes(profile)) {
    const values = { profile, profiles: played.profiles.join(', ') };
    yield [
      'profile',
      recording === undefined
        ? problemText('profileOfScenario', { scenario, ...values })
        : problemText('profileOfRecording', { recording, ...values }),
    ];
  }
  if (played && until > played.duration) {
    const values = { end: played.duration, seconds: until };
    yield [
      scene.until === undefined ? 'at' : 'until',
      recording === undefined
        ? problemText('scenarioOver', { scenario, ...values })
        : problemText('recordingOver', { recording, ...values }),
    ];
  }
  if (until < at) yield ['until', problemText('untilBeforeAt', { until, at })];
  if (options && until === at) yield ['options', problemText('optionsWithoutTime')];
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
    for (const point of new Set(named.points)) if (!points.has(point)) yield [word, problemText('noPoint', { point })];
    for (const container of new Set(named.containers))
      if (!isThere(container))
        yield [
          word,
          recording === undefined
            ? problemText('containerOfScenario', { scenario, container })
            : problemText('containerOfRecording', { recording, container }),
        ];
  }
}

function* problemsOfExercise(
  exercise: Exercise,
  goalTexts: number,
  { scenarios, points }: Known,
): Generator<ExerciseProblem> {
  const { scenario, profile, pod, seconds, goals, look = [] } = exercise;
  const played = scenarios.get(scenario);
  if (!played) {
    yield ['scenario', problemText('noScenario', { scenario })];
    return;
  }
  const { profiles } = played;
  if (!profiles.includes(profile))
    yield ['profile', problemText('profileOfScenario', { scenario, profile, profiles: profiles.join(', ') })];
  if (!namesIn(played.manifest).has(pod)) yield ['pod', problemText('podOfScenario', { scenario, pod })];
  if (goals.length !== goalTexts) yield ['goals', problemText('goalCount', { goals: goals.length, texts: goalTexts })];
  for (const goal of goals)
    if ('status' in goal && goal.for > seconds)
      yield ['goals', problemText('goalTooLong', { seconds: goal.for, end: seconds })];
  const claims = goals.flatMap((goal) => ('status' in goal ? [] : [goal]));
  const pointed = look.flatMap((each) => ('point' in each ? (each.point ?? []) : []));
  for (const [word, named] of [
    ['goals', namedBy(claims).points],
    ['look', pointed],
  ] as const)
    for (const point of new Set(named)) if (!points.has(point)) yield [word, problemText('noPoint', { point })];
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
  const parts = [problemText('step', { step: id })];
  return [
    ...(task && !exercise ? [{ line: lines.heading, parts, ...problemText('goalsWithoutExercise') }] : []),
    ...(asked === claimed
      ? []
      : [{ line: lines.heading, parts, ...problemText('optionCount', { options: asked, claims: claimed }) }]),
    ...reported.map(([word, problem]) => ({
      line: lines.words?.[word] ?? lines.scene ?? lines.exercise ?? lines.heading,
      parts,
      ...problem,
    })),
  ];
}

/** Returns all problems, each with its step and line. */
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
      ? [{ line: steps[0].lines.heading, parts: [], ...problemText('firstStepWithoutScene') }]
      : []),
    ...steps.filter((step) => !isBroken(step)).flatMap((step) => problemsOfStep(step, all)),
  ].toSorted((a, b) => a.line - b.line);
}
