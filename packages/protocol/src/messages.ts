/**
 * The messages between a browser (or any client) and a node, over WebSocket or a MessagePort. One JSON document a message.
 *
 * A client opens with `hello`; the server answers `welcome` and then sends every event after the number the client named, in order and
 * without a gap. Commands carry an id of the client's choice and are answered once with the same id.
 */
import { traceEventSchema } from '@podscope/trace/event-schema';
import { repeatedRunSchema } from '@podscope/trace/run-info';
import { z } from 'zod';
import { debugCommandSchemas } from './debug-messages.ts';
import { debugStateSchema } from './debug-state.ts';
import { manifestErrorSchema } from './manifest-error.ts';
import { pastCommandSchemas } from './past-messages.ts';
import { runCommandSchemas } from './run-messages.ts';
import { timeCommandSchemas, timeStateSchema } from './time-messages.ts';

/** Version of this protocol; a server answers a hello of another one with `bye`. */
export const protocolVersion = 1;

/** Most events in one message. */
export const maxEventsPerMessage = 64;

const objectName = { namespace: z.string().max(253), name: z.string().max(253) };

/** Something that the person who looks should know. Some are named, so that a client can say them in its own language; `text` is the English. */
export const noticeSchema = z.union([
  z.string(),
  z.object({ id: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])).readonly(), text: z.string() }),
]);
export type Notice = z.infer<typeof noticeSchema>;

/** A notice in English. */
export const noticeInEnglish = (notice: Notice): string => (typeof notice === 'string' ? notice : notice.text);

/** What a client can ask for. */
export const commandSchema = z.discriminatedUnion('command', [
  z
    .object({ command: z.literal('apply'), manifest: z.string() })
    .describe('Creates or updates the pods (and other objects) of a YAML or JSON text, as `kubectl apply` would. Result: ApplyResult.'),
  z.object({ command: z.literal('validate'), manifest: z.string() }).describe('Parses, defaults and validates without storing. Result: ApplyResult.'),
  z
    .object({ command: z.literal('deletePod'), ...objectName, gracePeriodSeconds: z.int().nonnegative().optional() })
    .describe('Asks for the deletion of a pod, as `kubectl delete` would.'),
  z.object({ command: z.literal('getPodYaml'), ...objectName }).describe('The pod as the API holds it, as YAML. Result: { yaml }.'),
  z
    .object({
      command: z.literal('logs'),
      ...objectName,
      container: z.string(),
      previous: z.boolean().optional(),
      tailLines: z.int().positive().max(10_000).optional(),
    })
    .describe('The last lines of a container’s log. Result: { lines: LogLine[] }.'),
  z
    .object({ command: z.literal('followLogs'), ...objectName, container: z.string(), tailLines: z.int().nonnegative().max(10_000).optional() })
    .describe('Like logs, and goes on with `logLines` messages for this id until `cancel`.'),
  z.object({ command: z.literal('cancel'), target: z.int() }).describe('Ends the command of that id.'),
  ...debugCommandSchemas,
  ...pastCommandSchemas,
  ...runCommandSchemas,
  ...timeCommandSchemas,
]);
export type Command = z.infer<typeof commandSchema>;

const hello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  /** The run the client already has events of. */
  run: z.string().optional(),
  /** The last event number it has of that run. */
  after: z.int().nonnegative().optional(),
});

export const clientMessageSchema = z.discriminatedUnion('type', [hello, z.object({ type: z.literal('command'), id: z.int(), body: commandSchema })]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** A command, whatever it asks for: one that makes no sense can be answered all the same. */
export const commandEnvelopeSchema = z.object({ type: z.literal('command'), id: z.int() });

export const applyResultSchema = z.object({
  /** One entry per object, `pod/web created`, `configured`, `unchanged`. Empty when there are errors: nothing is applied then. */
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

/** What the page shows about the node it talks to. */
export const nodeInfoSchema = z.object({
  /** Id of this run: a new one with each start of the server. */
  run: z.string(),
  startedAt: z.number(),
  /** The run that this one is another try of: see the command `rerun`. */
  repeats: repeatedRunSchema.optional(),
  version: z.string(),
  nodeName: z.string(),
  runtime: z.object({ name: z.string(), version: z.string(), kind: z.enum(['docker', 'sim', 'cri']) }),
  /** Why the simulator runs although Docker was wanted; what the engine made us do otherwise. */
  notices: z.array(noticeSchema),
  profile: z.string(),
  /** The numbered steps of SyncPod in this profile. */
  steps: z.array(z.object({ id: z.string(), step: z.int(), title: z.string(), description: z.string() })),
  readOnly: z.boolean(),
  /** Path of the kubeconfig that lets kubectl talk to this node. */
  kubeconfig: z.string().optional(),
});
export type NodeInfo = z.infer<typeof nodeInfoSchema>;

const welcome = z.object({
  type: z.literal('welcome'),
  protocol: z.int(),
  node: nodeInfoSchema,
  /** Oldest event the server still has; a client that lacks older ones starts anew from here. */
  firstSeq: z.int(),
  lastSeq: z.int(),
  /** The number before the first event that will be sent. Differs from the hello's `after` when that can't be continued. */
  after: z.int(),
  /** The server's clock, so that a client can show countdowns in its terms. */
  now: z.number(),
  /** API objects as they are, when events before `after` are missing to the client. */
  pods: z.array(z.record(z.string(), z.unknown())),
  /** The debugger as it is; absent where a run is only read. */
  debug: debugStateSchema.optional(),
  /** How time passes, when it is virtual; `now` is its clock then. */
  time: timeStateSchema.optional(),
});

export const serverMessageSchema = z.discriminatedUnion('type', [
  welcome,
  z.object({ type: z.literal('events'), events: z.array(traceEventSchema) }),
  z.object({ type: z.literal('response'), id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.int(), reason: z.string(), message: z.string() }),
  z.object({ type: z.literal('logLines'), id: z.int(), lines: z.array(logLineSchema), end: z.boolean() }),
  /** Virtual time passes differently from now on. */
  z.object({ type: z.literal('time'), time: timeStateSchema }),
  /** The server will close; `reason` is for people. With `next`, the id of a run, that one is served from now on: connect again at once. */
  z.object({ type: z.literal('bye'), reason: z.string(), next: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
