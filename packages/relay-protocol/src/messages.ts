/**
 * Declares the messages between the relay, which forwards the CRI calls of a kubelet, and the debugger, which shows and
 * stops them. Times are milliseconds since the Unix epoch by the relay's clock. The bytes of a gRPC message aren't part
 * of the JSON message; wire.ts appends them.
 */
import { z } from 'zod';

const callNumber = z.int().positive();
const time = z.number();

/** Header fields as received, in order and without pseudo-header fields. A name can occur twice. */
const metadata = z.array(z.tuple([z.string(), z.string()]));

const grpcCode = z.int().min(0).max(16);

/** A fault that the relay applies to a call. */
export const relayFaultSchema = z.discriminatedUnion('kind', [
  /** Fails the call with a gRPC error without forwarding it to the runtime. */
  z.object({ kind: z.literal('error'), code: grpcCode.min(1), message: z.string() }),
  /** Forwards the call; if it succeeds, drops the response and fails the call with a gRPC error. */
  z.object({ kind: z.literal('errorAfter'), code: grpcCode.min(1), message: z.string() }),
  /** Forwards the call after this many milliseconds, or before its deadline if that is earlier. */
  z.object({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
  /** Never forwards the call and never answers: the client waits until its deadline. */
  z.object({ kind: z.literal('hang') }),
  /** Forwards the call and resets the stream in both directions after this many response messages. */
  z.object({ kind: z.literal('cut'), afterMessages: z.int().nonnegative() }),
]);
export type RelayFault = z.infer<typeof relayFaultSchema>;

/** The debugger's answer to the question whether to forward a call. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('go') }),
  /**
   * Holds the call until the debugger sends `release`, the hold reaches its limit, or the debugger's connection ends.
   */
  z.object({ kind: z.literal('hold') }),
  z.object({ kind: z.literal('fault'), fault: relayFaultSchema }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** Why a hold ended. */
export const releaseReasonSchema = z.enum([
  /** The debugger released the call. */
  'released',
  /** The hold reached its limit, shortly before the call's deadline. */
  'limit',
  /** The debugger's connection ended. */
  'debuggerGone',
  /** The client cancelled the call; it is never forwarded. */
  'clientGone',
  /** The runtime's connection ended; the client sees that the connection was lost. */
  'runtimeGone',
]);
export type ReleaseReason = z.infer<typeof releaseReasonSchema>;

/** The runtime that serves a call: `image` if the option `--image-runtime` names a separate runtime for images. */
const endpoint = z.enum(['runtime', 'image']);

/** The first message on every connection, from the relay. */
const hello = z.object({
  type: z.literal('hello'),
  protocol: z.int().positive(),
  /** Podscope's version. */
  version: z.string(),
  pid: z.int(),
  /** When this relay process started. Call numbers begin at 1 with each process. */
  startedAt: time,
  now: time,
  /** Paths of the sockets: the relay's own, and those of the runtimes. */
  listen: z.string(),
  runtime: z.string(),
  imageRuntime: z.string().optional(),
  /** True if a debugger is connected: a second one will be rejected with `busy`. */
  hasDebugger: z.boolean().optional(),
});

const connectionOpened = z.object({
  type: z.literal('connectionOpened'),
  connection: z.int().positive(),
  time,
});
const connectionClosed = z.object({
  type: z.literal('connectionClosed'),
  connection: z.int().positive(),
  time,
  /** The side that ended the connection. */
  by: z.enum(['client', 'runtime', 'relay']),
  /** Set for a violation of HTTP/2 or a socket error. */
  error: z.string().optional(),
});

const callOpened = z.object({
  type: z.literal('callOpened'),
  call: callNumber,
  /** 0 for calls of the relay itself. */
  connection: z.int().nonnegative(),
  time,
  /** `client` for a call of the kubelet; `relay` for the lists that the relay requests when a debugger connects. */
  origin: z.enum(['client', 'relay']),
  endpoint,
  /** For example, `/runtime.v1.RuntimeService/CreateContainer`. */
  path: z.string(),
  authority: z.string(),
  metadata,
  /** The call's timeout in milliseconds, counted from `time`; null without a timeout. */
  deadline: z.number().nullable(),
  /**
   * True if the call was already open when the debugger connected. Its requests and `forwarded` follow; its earlier
   * responses don't.
   */
  inFlight: z.boolean(),
});

/** One message of the client. The bytes of the frame are the gRPC message without its prefix. */
const request = z.object({ type: z.literal('request'), call: callNumber, time, compressed: z.boolean() });
/** One message of the runtime. The bytes of the frame are as in {@link request}. */
const response = z.object({ type: z.literal('response'), call: callNumber, time, compressed: z.boolean() });

const forwarded = z.object({ type: z.literal('forwarded'), call: callNumber, time });

const responseHeaders = z.object({ type: z.literal('responseHeaders'), call: callNumber, time, metadata });

/** The status that the client gets. */
const trailers = z.object({
  type: z.literal('trailers'),
  call: callNumber,
  time,
  metadata,
  status: z.int(),
  message: z.string(),
  /** True if the relay made up the status because of a fault. */
  injected: z.boolean(),
});

/** The client or the runtime reset the stream (RST_STREAM). */
const reset = z.object({
  type: z.literal('reset'),
  call: callNumber,
  time,
  by: z.enum(['client', 'runtime', 'relay']),
  /** HTTP/2 error code. For example, 8 is CANCEL. */
  code: z.int(),
});

/** The runtime's answer to a call, which the fault `errorAfter` replaced: the client didn't get it. */
const lostResponse = z.object({ type: z.literal('lostResponse'), call: callNumber, time, status: z.int() });

const held = z.object({
  type: z.literal('held'),
  call: callNumber,
  time,
  /** The time at which the relay ends the hold by itself; null if the call has no deadline. */
  limit: z.number().nullable(),
});
const released = z.object({ type: z.literal('released'), call: callNumber, time, reason: releaseReasonSchema });
const faulted = z.object({ type: z.literal('faulted'), call: callNumber, time, fault: relayFaultSchema });

/** The last message of a call. */
const ended = z.object({ type: z.literal('ended'), call: callNumber, time });

/**
 * Asks the debugger whether to forward a call (`before`) or its successful response (`after`). For `after`, `hold`
 * isn't possible, and `error` is the only fault. The relay has already sent `callOpened` and `request` (and `response`
 * for `after`).
 */
const question = z.object({
  type: z.literal('question'),
  call: callNumber,
  time,
  phase: z.enum(['before', 'after']),
  /** After this many milliseconds without an answer the relay forwards the call. */
  withinMs: z.number(),
});
/** The relay ignored an answer or a release of the debugger, because it came too late or isn't allowed for the call. */
const refused = z.object({
  type: z.literal('refused'),
  call: callNumber,
  time,
  reason: z.enum(['late', 'notHoldable', 'unknownCall']),
});

/** The debugger read too slowly, so the relay dropped this many messages. */
const lost = z.object({ type: z.literal('lost'), messages: z.int(), time });

/** Another debugger is connected. The relay closes the connection. */
const busy = z.object({ type: z.literal('busy'), time });

export const relayMessageSchema = z.discriminatedUnion('type', [
  hello,
  busy,
  connectionOpened,
  connectionClosed,
  callOpened,
  request,
  response,
  forwarded,
  responseHeaders,
  trailers,
  reset,
  lostResponse,
  held,
  released,
  faulted,
  ended,
  question,
  refused,
  lost,
]);
/** Any message of the relay. */
export type RelayMessage = z.infer<typeof relayMessageSchema>;

export const debuggerMessageSchema = z.discriminatedUnion('type', [
  /** The first message of the debugger or of a reader. */
  z.object({
    type: z.literal('hello'),
    protocol: z.int().positive(),
    version: z.string(),
    /** A reader gets the reports, but no questions, and can't hold or fail calls. By default, `debugger`. */
    role: z.enum(['debugger', 'reader']).optional(),
    /**
     * True if the debugger sends `ask` at least once a second. The relay then ends its connection after some seconds of
     * silence, so that a debugger that hangs holds no calls.
     */
    repeats: z.boolean().optional(),
  }),
  /**
   * Replaces the methods (such as `CreateContainer`) about whose calls and responses the relay asks. The relay starts
   * with an empty list.
   */
  z.object({ type: z.literal('ask'), methods: z.array(z.string()), after: z.array(z.string()) }),
  z.object({ type: z.literal('answer'), call: callNumber, answer: answerSchema }),
  /** Ends a hold: forwards the call, or applies a fault to it. */
  z.object({
    type: z.literal('release'),
    call: callNumber,
    answer: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('go') }),
      z.object({ kind: z.literal('fault'), fault: relayFaultSchema }),
    ]),
  }),
]);
/** Any message of the debugger. */
export type DebuggerMessage = z.infer<typeof debuggerMessageSchema>;
