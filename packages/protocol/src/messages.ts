/**
 * Declares the messages between a client and a node, over WebSocket or a MessagePort, one JSON document per message.
 *
 * The client's first message is `hello`, with the number of the last event that it has. The server answers with
 * `welcome` and then sends every later event, in order and without gaps. A command carries an id that the client chose
 * and gets one answer with the same id.
 */
import { traceEventSchema } from '@podscope/trace/event-schema';
import { observedKubeletSchema, repeatedRunSchema } from '@podscope/trace/run-info';
import { z } from 'zod';
import { debugCommandSchemas } from './debug/messages.ts';
import { debugStateSchema } from './debug/state.ts';
import { inventoryCommandSchemas } from './inventory-messages.ts';
import { manifestErrorSchema } from './manifest-error.ts';
import { packedEventsSchema } from './packed-events.ts';
import { pastCommandSchemas } from './past-messages.ts';
import { runCommandSchemas } from './run-messages.ts';
import { timeCommandSchemas, timeStateSchema } from './time-messages.ts';

/** Maximum number of events in one message. */
export const maxEventsPerMessage = 64;

const objectName = { namespace: z.string().max(253), name: z.string().max(253) };

/** A notice for the user. A client can translate a notice that has an id; its `text` is the English version. */
export const noticeSchema = z.union([
  z.string(),
  z.object({
    id: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).readonly(),
    text: z.string(),
  }),
]);
export type Notice = z.infer<typeof noticeSchema>;

/** Returns the English text of a notice. */
export const noticeInEnglish = (notice: Notice): string => (typeof notice === 'string' ? notice : notice.text);

/** All commands of a client. */
export const commandSchema = z.discriminatedUnion('command', [
  z
    .object({ command: z.literal('apply'), manifest: z.string() })
    .describe(
      'Creates or updates the pods (and other objects) of a YAML or JSON text, as `kubectl apply` does. ' +
        'Result: ApplyResult.',
    ),
  z
    .object({ command: z.literal('validate'), manifest: z.string() })
    .describe('Parses, defaults and validates a manifest without storing it. Result: ApplyResult.'),
  z
    .object({ command: z.literal('deletePod'), ...objectName, gracePeriodSeconds: z.int().nonnegative().optional() })
    .describe('Deletes a pod, as `kubectl delete` does.'),
  z
    .object({ command: z.literal('getPodYaml'), ...objectName })
    .describe('Returns the API object of the pod as YAML. Result: { yaml }.'),
  z
    .object({
      command: z.literal('logs'),
      ...objectName,
      container: z.string(),
      previous: z.boolean().optional(),
      tailLines: z.int().positive().max(10_000).optional(),
    })
    .describe('Returns the last lines of a container’s log. Result: { lines: LogLine[] }.'),
  z
    .object({
      command: z.literal('logPage'),
      ...objectName,
      container: z.string(),
      previous: z.boolean().optional(),
      from: z.int().nonnegative().optional(),
      limit: z.int().positive().max(10_000),
      search: z.string().max(1_000).optional(),
    })
    .describe(
      'Returns a page of a container’s log: up to `limit` lines from line `from` (counted from 0), or the last ' +
        'lines without `from`. With `search`, only lines that contain the text, ignoring case. Result: LogPage ' +
        '{ lines, total, matches }.',
    ),
  z
    .object({
      command: z.literal('followLogs'),
      ...objectName,
      container: z.string(),
      tailLines: z.int().nonnegative().max(10_000).optional(),
      /** Number of the first line to send, from 0. */
      fromLine: z.int().nonnegative().optional(),
    })
    .describe('Like `logs`, then sends new lines in `logLines` messages for this id until `cancel`.'),
  z.object({ command: z.literal('cancel'), target: z.int() }).describe('Cancels the command with the id `target`.'),
  ...inventoryCommandSchemas,
  ...debugCommandSchemas,
  ...pastCommandSchemas,
  ...runCommandSchemas,
  ...timeCommandSchemas,
]);
export type Command = z.infer<typeof commandSchema>;

const hello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  /** The run of which the client already has events. */
  run: z.string().optional(),
  /** Number of the last event that the client has of that run. */
  after: z.int().nonnegative().optional(),
  /** True if the client reads `packedEvents`. The server then sends large backlogs in this form. */
  packed: z.boolean().optional(),
});

export const clientMessageSchema = z.discriminatedUnion('type', [
  hello,
  z.object({ type: z.literal('command'), id: z.int(), body: commandSchema }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/**
 * The envelope of a command: its id. The server parses the envelope even if the rest is invalid, so that an invalid
 * command also gets an answer.
 */
export const commandEnvelopeSchema = z.object({ type: z.literal('command'), id: z.int() });

export const applyResultSchema = z.object({
  /** One entry per object. Empty if there are errors, because then nothing is applied. */
  applied: z.array(
    z.object({
      kind: z.string(),
      namespace: z.string().optional(),
      name: z.string(),
      uid: z.string().optional(),
      operation: z.enum(['created', 'configured', 'unchanged', 'valid']),
    }),
  ),
  errors: z.array(manifestErrorSchema),
});
export type ApplyResult = z.infer<typeof applyResultSchema>;

export const logLineSchema = z.object({ time: z.number(), stream: z.enum(['stdout', 'stderr']), text: z.string() });
export const logResultSchema = z.object({ lines: z.array(logLineSchema) });
export type LogLine = z.infer<typeof logLineSchema>;

/** A line with its number in the log, from 0. */
const numberedLogLineSchema = logLineSchema.extend({ number: z.int() });
export type NumberedLogLine = z.infer<typeof numberedLogLineSchema>;

export const logPageSchema = z.object({
  lines: z.array(numberedLogLineSchema),
  /** Number of lines in the log. */
  total: z.int(),
  /** Number of lines that contain the search text. Without a search text, it is the number of all lines. */
  matches: z.int(),
});
export type LogPage = z.infer<typeof logPageSchema>;

/** A call of an observed kubelet that is held at a breakpoint, and the work that waits until it continues. */
export const observedHoldSchema = z.object({
  /** The span of the call. */
  span: z.int().positive(),
  method: z.string(),
  /** When the hold ends by itself, in milliseconds since the Unix epoch; absent if the call has no deadline. */
  endsAt: z.number().optional(),
  /** When the kubelet's timeout for the call expires, in milliseconds since the Unix epoch. */
  deadline: z.number().optional(),
  waiting: z.array(
    z.object({
      /**
       * `pod` is another call of the same pod that is in flight. `imagePull` is the pull of another pod: the kubelet
       * pulls one image at a time (serializeImagePulls). This pull is inferred, because the kubelet hasn't requested it
       * yet.
       */
      reason: z.enum(['pod', 'imagePull']),
      namespace: z.string(),
      pod: z.string(),
      /** The method of the call, or the image. */
      what: z.string(),
    }),
  ),
});
export type ObservedHold = z.infer<typeof observedHoldSchema>;

/** Facts about the node that the page shows. */
export const nodeInfoSchema = z.object({
  /** Id of this run. Each start of the server begins a new run. */
  run: z.string(),
  startedAt: z.number(),
  /** The recorded run that this run repeats: see the command `rerun`. */
  repeats: repeatedRunSchema.optional(),
  version: z.string(),
  nodeName: z.string(),
  runtime: z.object({ name: z.string(), version: z.string(), kind: z.enum(['docker', 'sim', 'cri']) }),
  /** Present if the node's kubelet is a genuine one, which Podscope only observes. */
  observed: observedKubeletSchema.optional(),
  /** The calls that are held, if the kubelet is a genuine one. */
  holds: z.array(observedHoldSchema).optional(),
  /** Notices, for example the reason for running the simulator instead of Docker. */
  notices: z.array(noticeSchema),
  profile: z.string(),
  /** The numbered steps of SyncPod in this profile. */
  steps: z.array(z.object({ id: z.string(), step: z.int(), title: z.string(), description: z.string() })),
  readOnly: z.boolean(),
  /** Path of the kubeconfig that kubectl needs to reach this node. */
  kubeconfig: z.string().optional(),
});
export type NodeInfo = z.infer<typeof nodeInfoSchema>;

const welcome = z.object({
  type: z.literal('welcome'),
  protocol: z.int(),
  node: nodeInfoSchema,
  /**
   * Number of the oldest event that the server still has. A client that doesn't have the earlier events starts again
   * from this event.
   */
  firstSeq: z.int(),
  lastSeq: z.int(),
  /**
   * Number of the event before the first event that will be sent. It differs from `after` in `hello` if the server
   * can't continue from there.
   */
  after: z.int(),
  /** The server's clock, for countdowns in the client. */
  now: z.number(),
  /** The current API objects, if the client doesn't have all events up to `after`. */
  pods: z.array(z.record(z.string(), z.unknown())),
  /** The debugger's state; absent if the run is read-only. */
  debug: debugStateSchema.optional(),
  /** The state of virtual time; absent if the run uses real time. With virtual time, `now` is the virtual clock. */
  time: timeStateSchema.optional(),
});

export const serverMessageSchema = z.discriminatedUnion('type', [
  welcome,
  z.object({ type: z.literal('events'), events: z.array(traceEventSchema) }),
  packedEventsSchema,
  z.object({ type: z.literal('response'), id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.int(), reason: z.string(), message: z.string() }),
  z.object({ type: z.literal('logLines'), id: z.int(), lines: z.array(logLineSchema), end: z.boolean() }),
  /** Facts about the node have changed, for example because another source of an observed kubelet delivers data. */
  z.object({ type: z.literal('node'), node: nodeInfoSchema }),
  /** The speed of virtual time changed, or it was paused or resumed. */
  z.object({ type: z.literal('time'), time: timeStateSchema }),
  /**
   * The server is about to close the connection; `reason` is a text for the user. `next` is the id of the run that the
   * server serves next: if it is set, the client connects again at once.
   */
  z.object({ type: z.literal('bye'), reason: z.string(), next: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
