/**
 * Declares the messages between a class server and its clients. Each client has one WebSocket, and each message is one
 * JSON document.
 *
 * A client first sends `hello`, with the number of the last event that it has. The server answers with `welcome`, which
 * contains the state of the class or the events that the client lacks. A client numbers the messages that change the
 * class. The server confirms each number with `confirmed`, and ignores a message whose number it has confirmed before.
 * After a lost connection a client sends every unconfirmed message again, so that none is lost or counted twice.
 */
import { breakpointSpecSchema } from '@podscope/protocol';
import { z } from 'zod';
import {
  answerSchema,
  classEventSchema,
  classLimits,
  numberedEventSchema,
  placeSchema,
  questionSchema,
  runPartSchema,
  sharedViewSchema,
  taskSchema,
  taskStatusSchema,
  verdictSchema,
} from './class-event.ts';
import { classStateSchema } from './class-state.ts';

/** Version of the protocol between class server and clients. */
export const classProtocol = 4;

const id = z.string().min(1).max(classLimits.id);

/** The messages of a learner that are numbered. */
export const learnerMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('moved'), place: placeSchema }),
  z.object({ type: z.literal('hand'), raised: z.boolean() }),
  z.object({ type: z.literal('answered'), question: id, answer: answerSchema }),
  /** The verdict of the learner's browser. It is used only if the server can't judge the answer. */
  z.object({ type: z.literal('judged'), question: id, verdict: verdictSchema.omit({ unverified: true }) }),
  /** An attempt at an exercise of a lesson. The server plays it and judges its goals. */
  z.object({
    type: z.literal('attempted'),
    question: id,
    manifest: z.string().max(classLimits.document),
  }),
  z.object({ type: z.literal('consent'), given: z.boolean() }),
  z.object({
    type: z.literal('taskStatus'),
    task: id,
    status: taskStatusSchema,
    message: z.string().max(classLimits.text).optional(),
  }),
  /** The learner leaves the class. */
  z.object({ type: z.literal('leave') }),
]);
export type LearnerMessage = z.infer<typeof learnerMessageSchema>;

/** The messages of a teacher that are numbered. */
export const teacherMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sharedView'), sharedView: sharedViewSchema }),
  z.object({ type: z.literal('release') }),
  z.object({ type: z.literal('task'), task: taskSchema }),
  z.object({ type: z.literal('question'), question: questionSchema }),
  z.object({ type: z.literal('closeQuestion'), question: id }),
  z.object({ type: z.literal('reveal'), question: id }),
  z.object({ type: z.literal('watch'), learner: id, watching: z.boolean() }),
  z.object({ type: z.literal('askConsent'), learner: id }),
  z.object({ type: z.literal('point'), learner: id, view: z.string().max(classLimits.view) }),
  z.object({ type: z.literal('breakpoints'), learner: id, breakpoints: z.array(breakpointSpecSchema).max(50) }),
  z.object({ type: z.literal('lowerHand'), learner: id }),
  z.object({ type: z.literal('remove'), learner: id }),
  z.object({ type: z.literal('end') }),
]);
export type TeacherMessage = z.infer<typeof teacherMessageSchema>;

const n = z.int().positive();

const learnerHelloSchema = z.object({
  type: z.literal('hello'),
  role: z.literal('learner'),
  protocol: z.int(),
  code: z.string().max(classLimits.id),
  name: z.string().trim().max(classLimits.name).optional(),
  /** Proves that the client is a learner who already joined. Sent after a lost connection or a reload. */
  resume: z.object({ learner: id, key: z.string().max(classLimits.id) }).optional(),
  /** Number of the last event that the client has. */
  after: z.int().nonnegative().optional(),
});

/** Messages of a learner. */
export const fromLearnerSchema = z.discriminatedUnion('type', [
  learnerHelloSchema,
  z.object({ type: z.literal('message'), n, body: learnerMessageSchema }),
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
    /** Identifies this client. The server counts message numbers per client. */
    client: id,
  }),
  z.object({ type: z.literal('message'), n, body: teacherMessageSchema }),
  z.object({ type: z.literal('run'), part: runPartSchema }),
]);
export type FromTeacher = z.infer<typeof fromTeacherSchema>;

/** The reasons for which the server rejects a client. Retrying helps only after `tooMany`. */
export const refusalReasons = ['code', 'full', 'ended', 'tooMany', 'protocol', 'token', 'removed'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The addresses and the code with which learners join. Only the teacher sees them. */
export const joinInfoSchema = z.object({
  code: z.string(),
  /** Addresses of the join page, the most useful one first. */
  links: z.array(z.string()),
  /** True if pages are served over plain HTTP, because the teacher provided no certificate. */
  insecure: z.boolean(),
});
export type JoinInfo = z.infer<typeof joinInfoSchema>;

/** Messages of the server. */
export const fromServerSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    /**
     * Id of the class. If it differs from the id that the client knows, it is another class: the client discards its
     * state.
     */
    class: z.string(),
    /** The server's clock, in milliseconds since the Unix epoch. */
    now: z.number(),
    /** Number of the client's last message that the server has received. */
    confirmed: z.int().nonnegative(),
    /** The learner's own id and key. */
    you: z.object({ learner: z.string(), key: z.string() }).optional(),
    joinInfo: joinInfoSchema.optional(),
    /** The whole state; absent if the client only lacks `events`. */
    state: classStateSchema.optional(),
    /** The events after the number that the client sent in `hello`. */
    events: z.array(numberedEventSchema).optional(),
  }),
  z.object({ type: z.literal('event'), event: numberedEventSchema }),
  z.object({ type: z.literal('confirmed'), n }),
  /**
   * Events of a run: of the teacher's run while all screens show it, or of the run of the learner whom the teacher
   * watches.
   */
  z.object({ type: z.literal('run'), learner: z.string().optional(), part: runPartSchema }),
  z.object({ type: z.literal('refused'), reason: z.enum(refusalReasons) }),
]);
export type FromServer = z.infer<typeof fromServerSchema>;

export { classEventSchema };
