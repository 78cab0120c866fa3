/** Defines lessons and the schemas of the YAML in their steps. */
import { isRecord } from '@podscope/base';
import { z } from 'zod';
import { checkPattern } from './claims/check-pattern.ts';
import { issueMessage, type ProblemText, problemText } from './problem.ts';

/** The event types that claims may use. */
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

/**
 * Matches an event that has all fields of the pattern. A text that begins with `~` matches part of the event's text.
 */
const patternSchema = z.looseObject({ type: z.enum(eventTypes) }).superRefine(checkPattern);
export type EventPattern = z.infer<typeof patternSchema>;

const secondsSchema = z.number().nonnegative();

export const claimSchema = z
  .strictObject({
    /** A matching event occurs. */
    happens: patternSchema.optional(),
    /** No matching event occurs. Exclusive with `happens`. */
    never: patternSchema.optional(),
    /** Number of matching events: exact, or within bounds. Default: at least one. */
    times: z
      .union(
        [
          z.int().positive(),
          z.strictObject({ min: z.int().nonnegative().optional(), max: z.int().nonnegative().optional() }),
        ],
        {
          error: issueMessage(problemText('badTimes', { example: '{ min: 2, max: 5 }' })),
        },
      )
      .optional(),
    /** Range in seconds from the start of the scenario. */
    within: z
      .tuple([secondsSchema, secondsSchema], { error: issueMessage(problemText('badWithin')) })
      .refine(([from, to]) => from <= to, issueMessage(problemText('withinReversed')))
      .optional(),
  })
  .refine(
    ({ happens, never }) => (happens === undefined) !== (never === undefined),
    issueMessage(problemText('happensOrNever')),
  )
  .refine(({ never, times }) => never === undefined || times === undefined, issueMessage(problemText('timesOfNever')));
/** A statement about a run that is true or false. */
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
      /** Id of a SyncPod step or another point. */
      point: z.string().optional(),
      container: z.string().optional(),
    }),
  ],
  {
    error: issueMessage(
      problemText('badLook', {
        targets: lookTargets.join(', '),
        timeline: '{ at: timeline, container: app }',
        steps: '{ at: steps, point: syncPod.createPodSandbox }',
      }),
    ),
  },
);
/** A part of the page that a step points at, and optionally an item in that part. */
export type Look = z.infer<typeof lookSchema>;

const lookListSchema = z.preprocess(
  (look) => (Array.isArray(look) || look === undefined ? look : [look]),
  z.array(lookSchema).optional(),
);
const profileSchema = z.enum(['v1.36', 'v1.20']).default('v1.36');
const seedSchema = z.union([z.int(), z.string()]).optional();

const sceneWords = z.strictObject({
  /** Id of the scenario to simulate. Exclusive with `recording`. */
  scenario: z.string().min(1).optional(),
  /** Id of the recorded run to show. */
  recording: z.string().min(1).optional(),
  profile: profileSchema,
  seed: seedSchema,
  /** Time in seconds of the scenario or recording at which the run pauses and the step begins. */
  at: secondsSchema.default(0),
  /** Time in seconds up to which the run continues after the answer. */
  until: secondsSchema.optional(),
  /** Stops the run between `at` and `until`. */
  breakpoint: z
    .strictObject({
      point: z.string(),
      phase: z.enum(['before', 'after']).default('before'),
      /** Expressions whose values are shown at the stop. */
      watch: z.array(z.string().min(1)).default([]),
    })
    .optional(),
  look: lookListSchema,
  /** The claim of each option of the question, in order. At `until` exactly one of them is true. */
  options: z.array(claimSchema).min(2).optional(),
  /**
   * Claims that must be true at `until` for any answer. Tests check them to find lessons that are no longer correct.
   */
  expect: z.array(claimSchema).optional(),
});

export const sceneSchema = sceneWords.superRefine(({ scenario, recording, ...rest }, context) => {
  const reported = (path: readonly string[], problem: ProblemText): void =>
    context.addIssue({ code: 'custom', path: [...path], message: issueMessage(problem) });
  if ((scenario === undefined) === (recording === undefined)) reported([], problemText('scenarioOrRecording'));
  if (recording === undefined) return;
  for (const word of ['seed', 'breakpoint'] as const)
    if (rest[word] !== undefined) reported([word], problemText('notOfRecording'));
});
export type Scene = z.infer<typeof sceneSchema>;

/** The pod's status matches a pattern for this many seconds without interruption, up to the end of the attempt. */
const lastingSchema = z.strictObject({
  /** Fields of the v1.PodStatus, as in the patterns of claims. */
  status: z.looseObject({}),
  for: z.number().positive(),
});
export type LastingGoal = z.infer<typeof lastingSchema>;

export const goalSchema = z.unknown().transform((value, context): Claim | LastingGoal => {
  const { data, error } = (isRecord(value) && 'status' in value ? lastingSchema : claimSchema).safeParse(value);
  if (data) return data;
  for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});
/** A condition that an attempt must meet. The times of a claim are seconds since the attempt's manifest was applied. */
export type Goal = z.infer<typeof goalSchema>;

/**
 * The maximum duration of an attempt in seconds. It limits the work of a program that plays other people's attempts.
 */
export const longestAttempt = 300;

const attemptAt = z.number().nonnegative().max(longestAttempt);
/** An action on the pod during an attempt, at seconds since its manifest was applied. */
const attemptActSchema = z.discriminatedUnion('do', [
  z.strictObject({ at: attemptAt, do: z.literal('deletePod'), gracePeriodSeconds: z.int().nonnegative().optional() }),
  z.strictObject({ at: attemptAt, do: z.literal('killContainer'), container: z.string().min(1) }),
]);
export type AttemptAct = z.infer<typeof attemptActSchema>;

/** A pod to repair: the learner edits the scenario's manifest until an attempt meets all goals. */
export const exerciseSchema = z.strictObject({
  /** Id of the scenario whose manifest the learner edits. */
  scenario: z.string().min(1),
  profile: profileSchema,
  seed: seedSchema,
  /** Time in seconds of the scenario at which the learner begins. */
  at: secondsSchema.default(0),
  look: lookListSchema,
  /** Name of the pod. Each attempt replaces it, as `kubectl replace --force` does. */
  pod: z.string().min(1),
  /** Duration of an attempt in seconds, after which the goals are judged. */
  seconds: z.number().positive().max(longestAttempt),
  /** Actions on the pod during an attempt. */
  acts: z.array(attemptActSchema).max(10).optional(),
  /** The conditions, in the order of their texts. */
  goals: z.array(goalSchema).min(1),
});
export type Exercise = z.infer<typeof exerciseSchema>;

export const frontMatterSchema = z.strictObject({
  /** Id of the lesson in kebab-case; links contain it. A translation has the id of its original. */
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, issueMessage(problemText('notAnId'))),
  title: z.string().min(1, issueMessage(problemText('empty'))),
  summary: z.string().min(1, issueMessage(problemText('empty'))),
  /** Approximate duration. */
  minutes: z.int().positive(),
  /** Language of the lesson as a BCP 47 tag. */
  language: z.string().default('en'),
});

/** A question that is asked before the run continues. */
export interface Question {
  readonly text: string;
  /** The answers to choose from, one for each of the scene's `options`. */
  readonly options: readonly string[];
  /** The remark on each option, shown after the answer; undefined for an option without one. */
  readonly remarks: readonly (string | undefined)[];
  /** Markdown that is shown after the answer. */
  readonly explanation: string;
}

/** The texts of an exercise. */
export interface Task {
  /** The goals, one for each of the exercise's `goals`. */
  readonly goals: readonly string[];
  /** Hints in Markdown. Each is shown when the learner asks for it. */
  readonly hints: readonly string[];
  /** Markdown that is shown when the goals are met. */
  readonly explanation: string;
}

export interface LessonStep {
  /** Id of the step in kebab-case; links contain it. */
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly question: Question | undefined;
  /**
   * The run that the step shows. Undefined for a step with text only: the page keeps the scene of the previous step.
   */
  readonly scene: Scene | undefined;
  /** The pod that the learner repairs in this step, instead of a scene and a question. */
  readonly exercise?: Exercise | undefined;
  readonly task?: Task | undefined;
  /** A manifest that meets the goals of the exercise. It is used only for checks and is never shown. */
  readonly solution?: string | undefined;
  /** Notes for teachers in Markdown. Learners don't see them. */
  readonly notes?: string | undefined;
  /** Line numbers, from 1: of the heading, of the scene or the exercise, and of each of its members. */
  readonly lines: {
    readonly heading: number;
    readonly scene?: number;
    readonly exercise?: number;
    readonly words?: Readonly<Record<string, number>>;
  };
}

/** A scenario that the lesson brings along: a block `scenario` before the first step. */
export interface LessonScenario {
  readonly id: string;
  /** The parsed YAML; its members are checked by the package that plays scenarios. */
  readonly value: unknown;
  /** Returns the line of a value in the lesson, from 1. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export interface Lesson extends z.infer<typeof frontMatterSchema> {
  readonly steps: readonly LessonStep[];
  /** Empty in most lessons, which play scenarios of the library. */
  readonly scenarios: readonly LessonScenario[];
}
