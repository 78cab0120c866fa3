/**
 * Declares the messages between a class server and its clients, over one WebSocket each, one JSON document per message.
 *
 * A client opens with `hello` and gets `welcome` with the class's state, or the events after the number that it names.
 * It numbers what it says; the server confirms each number with `heard` and ignores numbers that it has heard, so a
 * client that lost its connection sends everything unconfirmed again and nothing is lost or counted twice.
 */
import { breakpointSpecSchema } from '@podscope/protocol';
import { z } from 'zod';
import {
  answerSchema,
  classEventSchema,
  classLimits,
  lookSchema,
  numberedEventSchema,
  placeSchema,
  questionSchema,
  runPartSchema,
  taskSchema,
  taskStatusSchema,
  verdictSchema,
} from './class-event.ts';
import { classStateSchema } from './class-state.ts';

/** Version of these messages. */
export const classProtocol = 1;

const id = z.string().min(1).max(classLimits.id);

/** The messages of a learner that are numbered. */
export const learnerSayingSchema = z.discriminatedUnion('say', [
  z.object({ say: z.literal('moved'), place: placeSchema }),
  z.object({ say: z.literal('hand'), raised: z.boolean() }),
  z.object({ say: z.literal('answered'), question: id, answer: answerSchema }),
  z.object({ say: z.literal('judged'), question: id, verdict: verdictSchema }),
  z.object({ say: z.literal('consent'), given: z.boolean() }),
  z.object({
    say: z.literal('taskStatus'),
    task: id,
    status: taskStatusSchema,
    message: z.string().max(classLimits.text).optional(),
  }),
  /** The learner leaves the class. */
  z.object({ say: z.literal('leave') }),
]);
export type LearnerSaying = z.infer<typeof learnerSayingSchema>;

/** The messages of a teacher that are numbered. */
export const teacherSayingSchema = z.discriminatedUnion('say', [
  z.object({ say: z.literal('look'), look: lookSchema }),
  z.object({ say: z.literal('release') }),
  z.object({ say: z.literal('task'), task: taskSchema }),
  z.object({ say: z.literal('question'), question: questionSchema }),
  z.object({ say: z.literal('closeQuestion'), question: id }),
  z.object({ say: z.literal('reveal'), question: id }),
  z.object({ say: z.literal('watch'), learner: id, watching: z.boolean() }),
  z.object({ say: z.literal('askConsent'), learner: id }),
  z.object({ say: z.literal('point'), learner: id, view: z.string().max(classLimits.view) }),
  z.object({ say: z.literal('breakpoints'), learner: id, breakpoints: z.array(breakpointSpecSchema).max(50) }),
  z.object({ say: z.literal('lowerHand'), learner: id }),
  z.object({ say: z.literal('remove'), learner: id }),
  z.object({ say: z.literal('end') }),
]);
export type TeacherSaying = z.infer<typeof teacherSayingSchema>;

const n = z.int().positive();

const learnerHelloSchema = z.object({
  type: z.literal('hello'),
  role: z.literal('learner'),
  protocol: z.int(),
  code: z.string().max(classLimits.id),
  name: z.string().trim().max(classLimits.name).optional(),
  /** Proves that the client is this learner, after a lost connection or a reload. */
  resume: z.object({ learner: id, key: z.string().max(classLimits.id) }).optional(),
  /** Number of the last event that the client has. */
  after: z.int().nonnegative().optional(),
});

/** Messages of a learner. */
export const fromLearnerSchema = z.discriminatedUnion('type', [
  learnerHelloSchema,
  z.object({ type: z.literal('say'), n, body: learnerSayingSchema }),
  z.object({ type: z.literal('run'), part: runPartSchema }),
]);
export type FromLearner = z.infer<typeof fromLearnerSchema>;

/** Messages of a teacher. The cookie of the page proves the teacher's token. */
export const fromTeacherSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    role: z.literal('teacher'),
    protocol: z.int(),
    /** Number of the last event that the client has. */
    after: z.int().nonnegative().optional(),
    /** Names this client, so that numbers are counted per client. */
    client: id,
  }),
  z.object({ type: z.literal('say'), n, body: teacherSayingSchema }),
  z.object({ type: z.literal('run'), part: runPartSchema }),
]);
export type FromTeacher = z.infer<typeof fromTeacherSchema>;

/** Why a client is not let in. Retrying helps only after `tooMany`. */
export const refusalReasons = ['code', 'full', 'ended', 'tooMany', 'protocol', 'token', 'removed'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** How learners get in. Only the teacher sees it. */
export const doorSchema = z.object({
  code: z.string(),
  /** Addresses of the join page, the most useful first. */
  links: z.array(z.string()),
  /** True without a certificate of the teacher: pages are served over plain HTTP. */
  insecure: z.boolean(),
});
export type ClassDoor = z.infer<typeof doorSchema>;

/** Messages of the server. */
export const fromServerSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    /** Id of the class. Another id means another class: nothing from before is valid. */
    class: z.string(),
    /** The server's clock, in milliseconds since the Unix epoch. */
    now: z.number(),
    /** Number of the last message of the client that the server has heard. */
    heard: z.int().nonnegative(),
    /** The learner's own identity. */
    you: z.object({ learner: z.string(), key: z.string() }).optional(),
    door: doorSchema.optional(),
    /** The whole state, unless the client has most of it. */
    state: classStateSchema.optional(),
    /** The events after the number that the client named. */
    events: z.array(numberedEventSchema).optional(),
  }),
  z.object({ type: z.literal('event'), event: numberedEventSchema }),
  z.object({ type: z.literal('heard'), n }),
  /** Events of the teacher's run that all screens show, or of the run of the learner whom the teacher watches. */
  z.object({ type: z.literal('run'), learner: z.string().optional(), part: runPartSchema }),
  z.object({ type: z.literal('refused'), reason: z.enum(refusalReasons) }),
]);
export type FromServer = z.infer<typeof fromServerSchema>;

export { classEventSchema };
