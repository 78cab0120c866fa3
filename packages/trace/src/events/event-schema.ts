/**
 * Defines the schema of each type of event. The engine imports only the types. The schemas are used where events enter
 * from a socket or a file.
 */
import { z } from 'zod';

const attributes = z.record(z.string(), z.unknown());

const spanError = z.object({
  /** The reason in a form that programs can evaluate: the name of a SyncResult error, a gRPC code, or `Aborted`. */
  reason: z.string(),
  message: z.string(),
});

/** The fields that every event has. */
const base = {
  /** The number of the event in the log, from 1 and without gaps. */
  seq: z.int().positive(),
  /** The clock's time: milliseconds since the Unix epoch. */
  time: z.number(),
  /**
   * When it happened, if the log received the event later: times in the log never decrease. Only in events of a genuine
   * kubelet.
   */
  at: z.number().optional(),
  /** The thread of the event: for a pod worker its pod's UID, for a loop its name. */
  thread: z.string(),
  /** UID of the pod. */
  pod: z.string().optional(),
  /** The innermost open span; for spanStarted and spanEnded, the span itself. */
  span: z.int().positive().optional(),
  /**
   * The source of an event about a genuine kubelet: its CRI calls, its `/pods`, traces, the API server, or the shadow
   * engine. Absent in events of Podscope's own kubelet.
   */
  source: z.enum(['cri', 'pods', 'otlp', 'api', 'shadow']).optional(),
  /** True if the event was inferred from others and not observed. */
  inferred: z.boolean().optional(),
};

/** A span was opened. */
const spanStarted = z.object({
  ...base,
  type: z.literal('spanStarted'),
  span: z.int().positive(),
  parent: z.int().positive().optional(),
  /** The id of the point. */
  point: z.string(),
  kind: z.string(),
  title: z.string(),
  attributes,
});

/** A span was closed. */
const spanEnded = z.object({
  ...base,
  type: z.literal('spanEnded'),
  span: z.int().positive(),
  outcome: z.enum(['ok', 'error', 'canceled']),
  error: spanError.optional(),
  /** The exact start, if a trace of the genuine kubelet reported it after the span was written. */
  start: z.number().optional(),
  /** The values that became known while the span ran, for example responses and results. */
  attributes: attributes.optional(),
});

/** A rule was evaluated. */
const decision = z.object({
  ...base,
  type: z.literal('decision'),
  /** The name of the rule, with dots, for example `computePodActions.containerChanged`. */
  rule: z.string(),
  /** The input values of the rule. */
  facts: attributes,
  /** The decision, as a few words or as a value. */
  outcome: z.unknown(),
  /** Whether this rule settled the question. */
  decisive: z.boolean(),
});

/** The runtime manager recorded a SyncResult. */
const syncResult = z.object({
  ...base,
  type: z.literal('syncResult'),
  action: z.string(),
  target: z.string(),
  /** The error's text, for example `CrashLoopBackOff`; absent on success. */
  error: z.string().optional(),
  message: z.string().optional(),
  /** Duration of the action in milliseconds. */
  duration: z.number().optional(),
});

/** A Kubernetes event was recorded. */
const kubernetesEvent = z.object({
  ...base,
  type: z.literal('kubernetesEvent'),
  eventType: z.enum(['Normal', 'Warning']),
  reason: z.string(),
  message: z.string(),
  /** The name of the container, if the event concerns one. */
  container: z.string().optional(),
  /** The path of the object's field, for example `spec.containers{app}`. */
  fieldPath: z.string().optional(),
  /** How often the event has occurred up to now. */
  count: z.int().positive(),
});

/** The desired pod was added, changed or deleted in the API. */
const podChanged = z.object({
  ...base,
  type: z.literal('podChanged'),
  operation: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  /** The v1.Pod in the API. */
  object: attributes,
});

/** The status manager accepted a new status. */
const podStatus = z.object({
  ...base,
  type: z.literal('podStatus'),
  /** The v1.PodStatus. */
  status: attributes,
});

/** A back-off entry was set, made a start wait, or was removed. */
const backOff = z.object({
  ...base,
  type: z.literal('backOff'),
  kind: z.enum(['container', 'image']),
  key: z.string(),
  container: z.string(),
  image: z.string().optional(),
  /** The length of the back-off in seconds. */
  seconds: z.number(),
  /** The start of the back-off: the time of the container's exit or of the failed pull. */
  since: z.number(),
  /** The time at which the back-off ends. */
  until: z.number(),
  /**
   * armed: the next failure will wait this long. waiting: a start waits because of this entry. reset: the entry was
   * removed.
   */
  state: z.enum(['armed', 'waiting', 'reset']),
});

/** An image pull made progress. */
const pullProgress = z.object({
  ...base,
  type: z.literal('pullProgress'),
  image: z.string(),
  layers: z.array(
    z.object({ id: z.string(), status: z.string(), current: z.number().optional(), total: z.number().optional() }),
  ),
});

/** The runtime's view of one sandbox or container changed (PLEG). */
const runtimeStateChanged = z.object({
  ...base,
  type: z.literal('runtimeStateChanged'),
  object: z.enum(['sandbox', 'container']),
  id: z.string(),
  /** Container name; `POD` for a sandbox. */
  name: z.string(),
  attempt: z.int().nonnegative(),
  containerType: z.enum(['init', 'sidecar', 'container', 'ephemeral']).optional(),
  /** The states of the PLEG, and `created`, which the PLEG treats as unknown. */
  from: z.enum(['nonexistent', 'created', 'running', 'exited', 'unknown']),
  to: z.enum(['nonexistent', 'created', 'running', 'exited', 'unknown']),
  createdAt: z.number().optional(),
  startedAt: z.number().optional(),
  finishedAt: z.number().optional(),
  exitCode: z.int().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  image: z.string().optional(),
  ip: z.string().optional(),
});

/**
 * A thread stopped before or after a span (DAP: stopped). `span` is the innermost open span, which is the top of the
 * stack.
 */
const stopped = z.object({
  ...base,
  type: z.literal('stopped'),
  /** DAP's reason: `breakpoint`, `step`, `pause`, `exception`, `goto`, `restart`. */
  reason: z.string(),
  point: z.string(),
  phase: z.enum(['before', 'after']),
  /** Why the thread stopped, as a text for the user. */
  text: z.string().optional(),
  /** Ids of the breakpoints that were hit. */
  breakpoints: z.array(z.int().positive()).optional(),
  /** The number of the stop. References to its variables are valid until the stop ends. */
  stop: z.int().positive().optional(),
});

/** A stopped thread continued (DAP: continued). */
const continued = z.object({
  ...base,
  type: z.literal('continued'),
  /**
   * Why the thread continued: a command, a step, an intervention, a restart, the end of the pod or its sync, the
   * disconnection of the last client, or the end of the server.
   */
  reason: z.enum(['continue', 'step', 'intervention', 'restart', 'canceled', 'disconnected', 'shutdown']).optional(),
  stop: z.int().positive().optional(),
});

/**
 * A fault, an intervention at a stop, or a command changed the flow. `span` is the affected span. Its end event has the
 * intervention's number as the attribute `intervention`, so that an injected failure isn't taken for a genuine one.
 */
const intervention = z.object({
  ...base,
  type: z.literal('intervention'),
  /** Number of the intervention in this run, from 1. */
  id: z.int().positive(),
  action: z.enum([
    'fail',
    'delay',
    'hang',
    'cut',
    'answer',
    'set',
    'drop',
    'duplicate',
    'skipWait',
    'kill',
    'restart',
    'missProbe',
  ]),
  /** The source of the intervention: a fault that was set before, a stop, or a command. */
  origin: z.enum(['fault', 'stop', 'command']),
  point: z.string().optional(),
  /** Name of the fault or plan. */
  name: z.string().optional(),
  /** A text for the user, for example `CreateContainer fails with Internal: disk full`. */
  text: z.string(),
  details: attributes.optional(),
});

/**
 * Breakpoints, filters, faults, plans or pending pauses changed. The event contains the complete lists; the protocol
 * defines the schemas of their entries.
 */
const breakpointsChanged = z.object({
  ...base,
  type: z.literal('breakpointsChanged'),
  breakpoints: z.array(attributes),
  filters: z.array(attributes),
  faults: z.array(attributes),
  plans: z.array(attributes),
});

/** A line of output for the user (DAP: output). */
const output = z.object({
  ...base,
  type: z.literal('output'),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  message: z.string(),
  /** The source of the line; absent if it is the node itself. */
  category: z.enum(['logpoint', 'debugger']).optional(),
  /** Id of the logpoint that wrote the line. */
  breakpoint: z.int().positive().optional(),
  attributes: attributes.optional(),
});

/** A client sent a command to the node. */
const command = z.object({ ...base, type: z.literal('command'), command: z.string(), arguments: attributes });

/** Any event of the log. */
export const traceEventSchema = z.discriminatedUnion('type', [
  spanStarted,
  spanEnded,
  decision,
  syncResult,
  kubernetesEvent,
  podChanged,
  podStatus,
  backOff,
  pullProgress,
  runtimeStateChanged,
  stopped,
  continued,
  intervention,
  breakpointsChanged,
  output,
  command,
]);
