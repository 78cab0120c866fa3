/** Validates references from a lesson to scenarios, points and containers, and the consistency of its steps. */
import type { Known } from './known.ts';
import type { Claim, Lesson, LessonStep, Scene } from './model.ts';
import type { LessonProblem } from './problem.ts';
import { checkScenario } from './scenario-text.ts';

/** A problem with one member of the scene. */
type SceneProblem = readonly [word: keyof Scene, message: string];

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
  const names: readonly (readonly [keyof Scene, ReturnType<typeof namedBy>])[] = [
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
  const isThere = (container: string): boolean => text === undefined || text.split(/[^\w.-]+/).includes(container);
  for (const [word, named] of names) {
    for (const point of new Set(named.points)) if (!points.has(point)) yield [word, `there is no point ${point}`];
    for (const container of new Set(named.containers))
      if (!isThere(container)) yield [word, `${name} has no container ${container}`];
  }
}

function problemsOfStep({ id, question, scene, lines }: LessonStep, known: Known): readonly LessonProblem[] {
  const [asked, claimed] = [question?.options.length ?? 0, scene?.options?.length ?? 0];
  const reported = scene ? [...problemsOfScene(scene, known)] : [];
  return [
    ...(asked === claimed
      ? []
      : [
          {
            line: lines.heading,
            message: `step ${id}: the question has ${asked} options, the scene claims for ${claimed}`,
          },
        ]),
    ...reported.map(([word, message]) => ({
      line: lines.words?.[word] ?? lines.scene ?? lines.heading,
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
  const isBroken = ({ scene }: LessonStep): boolean =>
    own.some(({ id, scenario }) => id === scene?.scenario && !scenario);
  return [
    ...own.flatMap(({ problems }) => problems),
    ...(steps[0] && !steps[0].scene
      ? [{ line: steps[0].lines.heading, message: 'the first step needs a scene: there is nothing to look at' }]
      : []),
    ...steps.filter((step) => !isBroken(step)).flatMap((step) => problemsOfStep(step, all)),
  ].toSorted((a, b) => a.line - b.line);
}
