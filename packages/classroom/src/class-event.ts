/** Declares the events of a class. The class server numbers them; server, teacher and learners fold the same events. */
import { breakpointSpecSchema } from '@podscope/protocol';
import { z } from 'zod';

/** Bounds of what a client may send. */
export const classLimits = {
  /** Characters of a learner's name. */
  name: 40,
  /** Characters of an id. */
  id: 120,
  /** Characters of a question, an option or a message. */
  text: 500,
  /** Options of a question. */
  options: 12,
  /** Characters of a manifest or a fault plan. */
  document: 64 * 1024,
  /** Characters of a view: the query string of a link. */
  view: 2_000,
  /** Characters of one part of a run. */
  runPart: 1_500_000,
} as const;

const id = z.string().min(1).max(classLimits.id);
const text = z.string().max(classLimits.text);
const view = z.string().max(classLimits.view);
const learner = id;

/** Where a learner or the teacher is: the lesson and its step, or a run of their own. */
export const placeSchema = z.object({
  lesson: z
    .object({ id, title: text, step: z.int().nonnegative(), stepId: id, stepTitle: text, steps: z.int() })
    .optional(),
  /** The phase of the lesson step, as the lesson player names it. */
  phase: z.enum(['setting', 'ready', 'playing', 'stopped', 'over']).optional(),
  /** The scenario of the run. */
  scenario: id.optional(),
  /** `namespace/name` of the selected pod. */
  pod: text.optional(),
});
export type Place = z.infer<typeof placeSchema>;

/** An answer: the index of an option, or a number of seconds. */
export const answerSchema = z.number().min(0).max(86_400);

/** The scene in which a question is asked: each learner's engine plays it up to `at` and pauses there. */
export const sceneSchema = z.object({
  scenario: id,
  profile: z.enum(['v1.36', 'v1.20']),
  seed: z.union([z.number(), z.string().max(classLimits.id)]).optional(),
  /** Seconds from the start of the scenario. */
  at: z.number().min(0).max(86_400),
});
export type ClassScene = z.infer<typeof sceneSchema>;

const asked = { id, text, scene: sceneSchema.optional(), pod: text.optional() };
/** A question that the teacher asks on the spot. */
export const questionSchema = z.discriminatedUnion('kind', [
  /** Which of these steps begins next? Judged by the next step of the run. */
  z.object({
    ...asked,
    kind: z.literal('nextStep'),
    options: z
      .array(z.object({ point: id, title: text }))
      .min(2)
      .max(classLimits.options),
  }),
  /** In how many seconds does a container start again? Judged by the next start. */
  z.object({ ...asked, kind: z.literal('restartIn'), container: text.optional() }),
  /** A question that no run decides. */
  z.object({
    ...asked,
    kind: z.literal('choice'),
    options: z.array(text.min(1)).min(2).max(classLimits.options),
    right: z.int().nonnegative().optional(),
  }),
]);
export type Question = z.infer<typeof questionSchema>;

/** The verdict on an answer. `right` is null if the run decides nothing, for example because it was changed. */
export const verdictSchema = z.object({ right: z.boolean().nullable(), actual: answerSchema.optional() });
export type Verdict = z.infer<typeof verdictSchema>;

/** A task for all nodes: *Everyone do this*. */
export const taskSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('scenario'), scene: sceneSchema, paused: z.boolean() }),
  z.object({ id, kind: z.literal('lesson'), lesson: id, step: id.optional() }),
  z.object({ id, kind: z.literal('manifest'), manifest: z.string().min(1).max(classLimits.document) }),
  z.object({ id, kind: z.literal('breakpoint'), breakpoint: breakpointSpecSchema }),
  z.object({ id, kind: z.literal('fault'), plan: z.string().min(1).max(classLimits.document) }),
]);
export type Task = z.infer<typeof taskSchema>;

/** applied: the node has it. done: the step was completed, the breakpoint hit, the fault injected. */
export const taskStatusSchema = z.enum(['applied', 'done', 'failed']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** The view that all screens show until it is released: *Everyone look here*. */
export const lookSchema = z.object({
  id,
  /** The view of the teacher, as a link carries it. */
  view,
  /** The teacher's run; its events follow in run parts. */
  run: id,
});
export type ClassLook = z.infer<typeof lookSchema>;

/** Events of a run, as gzipped JSON in base64: `{ node, events }`. */
export const runPartSchema = z.object({
  run: id,
  /** Number of the first and the last event. `to` is less than `from` without events. */
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
  z.object({ type: z.literal('consentAsked'), learner }),
  z.object({ type: z.literal('consent'), learner, given: z.boolean() }),
  /** The teacher opened the run of a learner, or closed it. */
  z.object({ type: z.literal('watched'), learner, watching: z.boolean() }),
  /** The teacher points at a part of a learner's run. */
  z.object({ type: z.literal('pointed'), learner, view }),
  z.object({ type: z.literal('breakpointsSet'), learner, breakpoints: z.array(breakpointSpecSchema).max(50) }),
  z.object({ type: z.literal('look'), look: lookSchema.nullable() }),
  z.object({ type: z.literal('task'), task: taskSchema }),
  z.object({ type: z.literal('taskStatus'), learner, task: id, status: taskStatusSchema, message: text.optional() }),
  z.object({ type: z.literal('question'), question: questionSchema }),
  z.object({ type: z.literal('questionClosed'), question: id }),
  /** The bars of a question were shown to the class. */
  z.object({
    type: z.literal('revealed'),
    question: id,
    bars: z.array(z.object({ answer: answerSchema, count: z.int(), right: z.boolean().nullable() })).max(100),
  }),
  /** The class ended: names are deleted. */
  z.object({ type: z.literal('ended') }),
]);
export type ClassEvent = z.infer<typeof classEventSchema>;

/** An event as the server numbers it. */
export const numberedEventSchema = z.object({
  seq: z.int().positive(),
  /** The server's clock, in milliseconds since the Unix epoch. */
  at: z.number(),
  event: classEventSchema,
});
export type NumberedEvent = z.infer<typeof numberedEventSchema>;
