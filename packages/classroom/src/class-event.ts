/**
 * Declares the events of a class. The class server numbers the events. Server, teacher and learners compute the same
 * state from these events.
 */
import { breakpointSpecSchema } from '@podscope/protocol';
import { z } from 'zod';

/** Maximum sizes of the values that a client may send. */
export const classLimits = {
  /** Maximum length of a learner's name, in characters. */
  name: 40,
  /** Maximum length of an id, in characters. */
  id: 120,
  /** Maximum length of a question, an option or a message, in characters. */
  text: 500,
  /** Maximum number of options of a question. */
  options: 12,
  /** Maximum length of a manifest, a fault plan or one language of a lesson, in characters. */
  document: 64 * 1024,
  /** Maximum length of a view (the query string of a link), in characters. */
  view: 2_000,
  /** Maximum length of one part of a run, in characters. */
  runPart: 1_500_000,
} as const;

const id = z.string().min(1).max(classLimits.id);
const text = z.string().max(classLimits.text);
const view = z.string().max(classLimits.view);
const learner = id;

/** The step of a lesson, or the run outside lessons, that a learner or the teacher has open. */
export const placeSchema = z.object({
  /**
   * Contains ids only, because each page shows titles in its own language. The id is that of a lesson of the library,
   * an id for the lesson of a task (`taskLessonId`), or `filedLesson`.
   */
  lesson: z.object({ id, step: z.int().nonnegative(), stepId: id, steps: z.int() }).optional(),
  /** Id of the learner's own run. */
  run: id.optional(),
  /** The phase of the lesson step, in the terms of the lesson player. */
  phase: z.enum(['setting', 'ready', 'playing', 'stopped', 'over']).optional(),
  /** The scenario of the run. */
  scenario: id.optional(),
  /** `namespace/name` of the selected pod. */
  pod: text.optional(),
});
export type Place = z.infer<typeof placeSchema>;

/** An answer: the index of an option, or a number of seconds. */
export const answerSchema = z.number().min(0).max(86_400);

/** The scene of a question or a task: each learner's engine plays it up to `at` and pauses there. */
export const sceneSchema = z.object({
  scenario: id,
  profile: z.enum(['v1.36', 'v1.20']),
  seed: z.union([z.number(), z.string().max(classLimits.id)]).optional(),
  /** Seconds from the start of the scenario. */
  at: z.number().min(0).max(86_400),
  /**
   * Number of spans on the pod's worker that have begun before the question: two steps may begin in the same
   * millisecond. Without it, the moment of the question is right after all events up to `at`.
   */
  spans: z.int().nonnegative().optional(),
});
export type ClassScene = z.infer<typeof sceneSchema>;

const asked = { id, text, scene: sceneSchema.optional(), pod: text.optional() };
/** A question that the teacher asks during the class. */
export const questionSchema = z.discriminatedUnion('kind', [
  /**
   * Asks which of these steps begins next. The right answer is the step that begins first in the run after the
   * question.
   */
  z.object({
    ...asked,
    kind: z.literal('nextStep'),
    options: z
      .array(z.object({ point: id, title: text }))
      .min(2)
      .max(classLimits.options),
  }),
  /**
   * Asks how many seconds pass until a container starts again. The right answer is the next start of a container in the
   * run.
   */
  z.object({ ...asked, kind: z.literal('restartIn'), container: text.optional() }),
  /** A question whose right answer doesn't depend on a run. */
  z.object({
    ...asked,
    kind: z.literal('choice'),
    options: z.array(text.min(1)).min(2).max(classLimits.options),
    right: z.int().nonnegative().optional(),
  }),
]);
export type Question = z.infer<typeof questionSchema>;

/** The verdict on an answer. `right` is null if the run doesn't decide it. */
export const verdictSchema = z.object({
  right: z.boolean().nullable(),
  actual: answerSchema.optional(),
  /** True if only the learner's browser judged the answer, so that it doesn't count as right. */
  unverified: z.literal(true).optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** A task for the nodes of all learners. The page calls it *Everyone do this*. */
export const taskSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('scenario'), scene: sceneSchema, paused: z.boolean() }),
  z.object({
    id,
    kind: z.literal('lesson'),
    lesson: id,
    step: id.optional(),
    /** The text of a lesson that isn't in the library, and its Chinese text. Each page parses and validates it. */
    source: z
      .object({
        text: z.string().min(1).max(classLimits.document),
        translation: z.string().min(1).max(classLimits.document).optional(),
      })
      .optional(),
  }),
  z.object({ id, kind: z.literal('manifest'), manifest: z.string().min(1).max(classLimits.document) }),
  z.object({ id, kind: z.literal('breakpoint'), breakpoint: breakpointSpecSchema }),
  z.object({ id, kind: z.literal('fault'), plan: z.string().min(1).max(classLimits.document) }),
]);
export type Task = z.infer<typeof taskSchema>;
export type LessonTask = Extract<Task, { kind: 'lesson' }>;
/** The text of a lesson that isn't in the library. */
export type LessonSource = NonNullable<LessonTask['source']>;

/**
 * `applied`: the node of the learner has the task. `done`: the learner completed the step, or the breakpoint was hit,
 * or the fault was injected.
 */
export const taskStatusSchema = z.enum(['applied', 'done', 'failed']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** The view that all screens show until the teacher releases them. The page calls it *Everyone look here*. */
export const sharedViewSchema = z.object({
  id,
  /** The view of the teacher, encoded as in a link. */
  view,
  /** The id of the teacher's run. The events of the run follow in run parts. */
  run: id,
});
export type SharedView = z.infer<typeof sharedViewSchema>;

/** Events and log lines of a run, as gzipped JSON in base64: `{ node, events, logs }`. */
export const runPartSchema = z.object({
  run: id,
  /** Numbers of the first and the last event. Without events, `to` is less than `from`. */
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  data: z.string().max(classLimits.runPart),
});
export type RunPart = z.infer<typeof runPartSchema>;

const named = z.string().trim().max(classLimits.name);

/** All events of a class. */
export const classEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('joined'), learner, number: z.int().positive(), name: named.optional() }),
  z.object({ type: z.literal('connection'), learner, connected: z.boolean() }),
  z.object({ type: z.literal('removed'), learner }),
  z.object({ type: z.literal('moved'), learner, place: placeSchema }),
  z.object({ type: z.literal('hand'), learner, raised: z.boolean() }),
  z.object({ type: z.literal('answered'), learner, question: id, answer: answerSchema }),
  z.object({ type: z.literal('judged'), learner, question: id, verdict: verdictSchema }),
  /** An attempt at an exercise, with the number of goals that it met. */
  z.object({
    type: z.literal('attempted'),
    learner,
    question: id,
    /** Number of the attempt, from 1. */
    attempt: z.int().positive(),
    met: z.int().nonnegative(),
    goals: z.int().positive(),
  }),
  z.object({ type: z.literal('consentAsked'), learner }),
  z.object({ type: z.literal('consent'), learner, given: z.boolean() }),
  /** The teacher opened or closed the run of a learner. */
  z.object({ type: z.literal('watched'), learner, watching: z.boolean() }),
  /** The teacher pointed at a part of a learner's run. */
  z.object({ type: z.literal('pointed'), learner, view }),
  z.object({ type: z.literal('breakpointsSet'), learner, breakpoints: z.array(breakpointSpecSchema).max(50) }),
  z.object({ type: z.literal('sharedView'), sharedView: sharedViewSchema.nullable() }),
  z.object({ type: z.literal('task'), task: taskSchema }),
  z.object({ type: z.literal('taskStatus'), learner, task: id, status: taskStatusSchema, message: text.optional() }),
  z.object({ type: z.literal('question'), question: questionSchema }),
  z.object({ type: z.literal('questionClosed'), question: id }),
  /** The teacher showed the answers of a question to the class, as bars. */
  z.object({
    type: z.literal('revealed'),
    question: id,
    bars: z.array(z.object({ answer: answerSchema, count: z.int(), right: z.boolean().nullable() })).max(100),
  }),
  /** The class ended, and the names of the learners were deleted. */
  z.object({ type: z.literal('ended') }),
]);
export type ClassEvent = z.infer<typeof classEventSchema>;

/** An event with the number that the server gave it. */
export const numberedEventSchema = z.object({
  seq: z.int().positive(),
  /** Time of the event by the server's clock, in milliseconds since the Unix epoch. */
  at: z.number(),
  event: classEventSchema,
});
export type NumberedEvent = z.infer<typeof numberedEventSchema>;
