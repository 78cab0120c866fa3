/** What a lesson is. The machine-readable part of a step is YAML, and comes through these schemas. */
import { z } from 'zod';
import { checkPattern } from './check-pattern.ts';

/** The types of events that claims may be about. */
const eventTypes = [
  'spanStarted',
  'spanEnded',
  'decision',
  'syncResult',
  'kubernetesEvent',
  'podChanged',
  'podStatus',
  'backOff',
  'pullProgress',
  'runtimeStateChanged',
  'output',
] as const;

/** An event looks like this when it has all that is named here; a text that begins with `~` need only be contained. */
const patternSchema = z.looseObject({ type: z.enum(eventTypes) }).superRefine(checkPattern);
export type EventPattern = z.infer<typeof patternSchema>;

const secondsSchema = z.number().nonnegative();

const claimSchema = z
  .strictObject({
    /** Such an event happens… */
    happens: patternSchema.optional(),
    /** …or does not. */
    never: patternSchema.optional(),
    /** How often: exactly so many times, or within bounds. At least once when nothing is said. */
    times: z
      .union([z.int().positive(), z.strictObject({ min: z.int().nonnegative().optional(), max: z.int().nonnegative().optional() })], {
        error: 'is a number from 1, or bounds: { min: 2, max: 5 }',
      })
      .optional(),
    /** Seconds from and to, counted from the beginning of the scenario. */
    within: z
      .tuple([secondsSchema, secondsSchema], { error: 'is two numbers of seconds, from and to: [2, 10]' })
      .refine(([from, to]) => from <= to, 'ends before it begins')
      .optional(),
  })
  .refine(({ happens, never }) => (happens === undefined) !== (never === undefined), 'needs either "happens" or "never"')
  .refine(({ never, times }) => never === undefined || times === undefined, '"times" goes with "happens" only');
/** Something that is true of a run or not. */
export type Claim = z.infer<typeof claimSchema>;

/** The parts of the page that a step can point at. */
export const lookTargets = [
  'pods',
  'timeline',
  'steps',
  'code',
  'results',
  'events',
  'logs',
  'spec',
  'compare',
  'inspector',
  'why',
  'time',
  'debugger',
  'notes',
] as const;
export type LookTarget = (typeof lookTargets)[number];

const lookSchema = z.union(
  [
    z.enum(lookTargets).transform((at) => ({ at })),
    z.strictObject({
      at: z.enum(lookTargets),
      /** A step of SyncPod or another point, by its id. */
      point: z.string().optional(),
      container: z.string().optional(),
    }),
  ],
  { error: `is one of ${lookTargets.join(', ')}, or such as { at: timeline, container: app } or { at: steps, point: syncPod.createPodSandbox }` },
);
/** What to look at: a part of the page, and perhaps something in it. */
export type Look = z.infer<typeof lookSchema>;

const sceneWords = z.strictObject({
  /** Id of what is played in the simulator… */
  scenario: z.string().min(1).optional(),
  /** …or of a run that was recorded, and is looked back to. */
  recording: z.string().min(1).optional(),
  profile: z.enum(['v1.36', 'v1.20']).default('v1.36'),
  seed: z.union([z.int(), z.string()]).optional(),
  /** Seconds of the scenario or recording that have passed when the step begins: time stands still there. */
  at: secondsSchema.default(0),
  /** Once the answer is given, time goes on to here. */
  until: secondsSchema.optional(),
  /** Where the run stops on its way from `at` to `until`. */
  breakpoint: z
    .strictObject({
      point: z.string(),
      phase: z.enum(['before', 'after']).default('before'),
      /** Expressions whose values are said at the stop. */
      watch: z.array(z.string().min(1)).default([]),
    })
    .optional(),
  look: z.preprocess((look) => (Array.isArray(look) || look === undefined ? look : [look]), z.array(lookSchema).optional()),
  /** What each option of the question claims, in their order. By `until` exactly one of them holds. */
  options: z.array(claimSchema).min(2).optional(),
  /** What must be true by `until`, whatever was answered: a lesson that is no longer true is found by it. */
  expect: z.array(claimSchema).optional(),
});

export const sceneSchema = sceneWords.superRefine(({ scenario, recording, ...rest }, context) => {
  const told = (path: readonly string[], message: string): void => context.addIssue({ code: 'custom', path: [...path], message });
  if ((scenario === undefined) === (recording === undefined)) told([], 'needs either "scenario" or "recording"');
  if (recording === undefined) return;
  for (const word of ['seed', 'breakpoint'] as const) if (rest[word] !== undefined) told([word], 'goes with "scenario" only: a recording has happened already');
});
export type Scene = z.infer<typeof sceneSchema>;

export const frontMatterSchema = z.strictObject({
  /** kebab-case; links name it. A translation has that of its original. */
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is made of lower-case words with hyphens'),
  title: z.string().min(1),
  summary: z.string().min(1),
  /** About how long it takes. */
  minutes: z.int().positive(),
  /** BCP 47 tag. */
  language: z.string().default('en'),
});

/** Asked before time goes on. */
export interface Question {
  readonly text: string;
  /** As many as the scene's options claim. */
  readonly options: readonly string[];
  /** What is said of each option once it has been answered; undefined where nothing is said of it in particular. */
  readonly remarks: readonly (string | undefined)[];
  /** Shown once it has been answered. Markdown. */
  readonly explanation: string;
}

export interface LessonStep {
  /** kebab-case; links name it. */
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly question: Question | undefined;
  /** Absent where a step only says something: the scene of the step before stays. */
  readonly scene: Scene | undefined;
  /** Where its heading stands in the lesson's text, and its scene and each word of it, where it has one; lines from 1. */
  readonly lines: { readonly heading: number; readonly scene?: number; readonly words?: Readonly<Record<string, number>> };
}

export interface Lesson extends z.infer<typeof frontMatterSchema> {
  readonly steps: readonly LessonStep[];
}
