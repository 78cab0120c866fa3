/**
 * Defines the messages of the stream `podscope.v1.TraceService/Join`. Over this stream, a CRI server sends the spans of
 * its calls to the client that made them, and the client sends the decisions of its gate. Both directions carry JSON.
 */
import { type PointKind, toJson } from '@podscope/trace';
import { z } from 'zod';
import { carriedErrorSchema } from './carried-error.ts';

/** The path of the stream. */
export const joinPath = '/podscope.v1.TraceService/Join';

/** The metadata key with which a client names its session: 32 hexadecimal digits, in the stream and in each call. */
export const sessionIdKey = 'podscope-session';

const pointKinds = [
  'loop',
  'worker',
  'kubeletStep',
  'sync',
  'syncStep',
  'function',
  'cri',
  'criStep',
  'docker',
  'cni',
  'hook',
  'probe',
] as const satisfies readonly PointKind[];

/** Returns true for the name of a kind of points. */
export const isPointKind = (kind: string): kind is PointKind => pointKinds.some((known) => known === kind);

const result = z.discriminatedUnion('outcome', [
  // The value is optional, because JSON has no undefined.
  z.object({ outcome: z.literal('ok'), value: z.unknown().optional() }),
  z.object({ outcome: z.enum(['error', 'canceled']), error: carriedErrorSchema }),
]);

const attributes = z.record(z.string(), z.unknown());

/**
 * The parent of a span: a positive number is a span of the server, a negative one is the client's span that made the
 * call.
 */
const parent = z.int();

/** The messages of the server about its calls and their spans. The server numbers the spans. */
export const serverMessageSchema = z.discriminatedUnion('type', [
  /** A span was opened. The server waits for `proceed` or `instead`. */
  z.object({
    type: z.literal('started'),
    span: z.int().positive(),
    parent,
    point: z.string(),
    kind: z.enum(pointKinds),
    title: z.string(),
    attributes,
  }),
  /** The body of the span has ended. The server waits for `finished`. */
  z.object({
    type: z.literal('result'),
    span: z.int().positive(),
    result,
    attributes: attributes.optional(),
    /**
     * True if the value is that of the span's attribute `response`. The value is then omitted, so that it isn't sent
     * twice.
     */
    isResponse: z.boolean().optional(),
  }),
  /** A decision or another event inside a span. */
  z.object({ type: z.literal('event'), parent, event: z.looseObject({ type: z.string() }) }),
  /**
   * All messages of a call have been sent. The server waits for `acknowledged` before it responds to the call. Changed
   * deviations are sent in the same way after the join and after calls that aren't joined, without waiting.
   */
  z.object({ type: z.literal('callEnded'), serial: z.int().positive(), deviations: z.array(z.string()) }),
]);

/** Messages of the client. */
export const clientMessageSchema = z.discriminatedUnion('type', [
  /** The gate let the span continue, so the body runs. */
  z.object({ type: z.literal('proceed'), span: z.int().positive() }),
  /** The gate provided a result, so the body doesn't run. */
  z.object({ type: z.literal('instead'), span: z.int().positive(), result }),
  /** The span has ended in the client's log, with the body's result or its replacement. */
  z.object({ type: z.literal('finished'), span: z.int().positive(), result: result.optional() }),
  z.object({ type: z.literal('acknowledged'), serial: z.int().positive() }),
]);

export type ServerMessage = z.infer<typeof serverMessageSchema>;
export type ClientMessage = z.infer<typeof clientMessageSchema>;
export type CarriedResult = z.infer<typeof result>;

/** Returns the bytes of a message. */
export const toBytes = (message: ServerMessage | ClientMessage): Buffer => Buffer.from(toJson(message));

/**
 * Parses received bytes. Doesn't validate the value.
 * @throws SyntaxError for bytes that aren't JSON
 */
export const fromBytes = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));
