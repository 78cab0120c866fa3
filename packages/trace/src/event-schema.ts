/**
 * The event log's vocabulary: one schema for each type of event. The engine only imports the types; the schemas run at the edges, where
 * events enter from a socket or a file.
 */
import { z } from 'zod';

const attributes = z.record(z.string(), z.unknown());

const spanError = z.object({
  /** The machine-readable kind: a SyncResult error name, a gRPC code, `Aborted`. */
  reason: z.string(),
  message: z.string(),
});

/** What every event carries. */
const base = {
  /** Position in the log: gapless, from 1. */
  seq: z.int().positive(),
  /** The clock's time: milliseconds since the Unix epoch. */
  time: z.number(),
  /** The thread it happened on: a pod worker's pod UID, or the name of a loop. */
  thread: z.string(),
  /** UID of the pod it concerns. */
  pod: z.string().optional(),
  /** The innermost open span. For spanStarted and spanEnded the span itself. */
  span: z.int().positive().optional(),
};

/** A span was opened. */
const spanStarted = z.object({
  ...base,
  type: z.literal('spanStarted'),
  span: z.int().positive(),
  parent: z.int().positive().optional(),
  /** Id of the point. */
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
  /** What became known while it ran: responses, results. */
  attributes: attributes.optional(),
});

/** A rule was weighed. */
const decision = z.object({
  ...base,
  type: z.literal('decision'),
  /** Dotted: `computePodActions.containerChanged`. */
  rule: z.string(),
  /** The values the rule saw. */
  facts: attributes,
  /** What it decided, in a few words or a value. */
  outcome: z.unknown(),
  /** True when this rule settled the question. */
  decisive: z.boolean(),
});

/** A SyncResult of the runtime manager was settled. */
const syncResult = z.object({
  ...base,
  type: z.literal('syncResult'),
  action: z.string(),
  target: z.string(),
  /** The error's text (`CrashLoopBackOff`), absent for success. */
  error: z.string().optional(),
  message: z.string().optional(),
  /** How long the action took, in milliseconds. */
  duration: z.number().optional(),
});

/** A Kubernetes event was recorded. */
const kubernetesEvent = z.object({
  ...base,
  type: z.literal('kubernetesEvent'),
  eventType: z.enum(['Normal', 'Warning']),
  reason: z.string(),
  message: z.string(),
  /** Name of the container it is about. */
  container: z.string().optional(),
  /** `spec.containers{app}` */
  fieldPath: z.string().optional(),
  /** How often it has been seen by now. */
  count: z.int().positive(),
});

/** The desired pod appeared, changed, or is gone from the API. */
const podChanged = z.object({
  ...base,
  type: z.literal('podChanged'),
  operation: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  /** The v1.Pod as the API holds it. */
  object: attributes,
});

/** The status manager took a new status. */
const podStatus = z.object({
  ...base,
  type: z.literal('podStatus'),
  /** The v1.PodStatus. */
  status: attributes,
});

/** A back-off entry was armed, or found in force. */
const backOff = z.object({
  ...base,
  type: z.literal('backOff'),
  kind: z.enum(['container', 'image']),
  key: z.string(),
  container: z.string(),
  image: z.string().optional(),
  /** The back-off in seconds. */
  seconds: z.number(),
  /** The time it is counted from: the container's exit, the failed pull. */
  since: z.number(),
  /** When it ends. */
  until: z.number(),
  /** armed: the next failure will wait this long. waiting: a start was postponed. reset: the entry is gone. */
  state: z.enum(['armed', 'waiting', 'reset']),
});

/** An image pull moved on. */
const pullProgress = z.object({
  ...base,
  type: z.literal('pullProgress'),
  image: z.string(),
  layers: z.array(z.object({ id: z.string(), status: z.string(), current: z.number().optional(), total: z.number().optional() })),
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
  /** PLEG states: created counts as unknown there; here it keeps its name. */
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

/** A thread stopped at a gate (DAP: stopped). `span` is the innermost open span, the top of the stack. */
const stopped = z.object({
  ...base,
  type: z.literal('stopped'),
  /** DAP's reason: `breakpoint`, `step`, `pause`, `exception`, `goto`, `restart`. */
  reason: z.string(),
  point: z.string(),
  phase: z.enum(['before', 'after']),
  /** What a person reads about why. */
  text: z.string().optional(),
  /** Ids of the breakpoints that were hit. */
  breakpoints: z.array(z.int().positive()).optional(),
  /** The stop's number: variables are looked at, and references into them hold, until it ends. */
  stop: z.int().positive().optional(),
});

/** A stopped thread goes on (DAP: continued). */
const continued = z.object({
  ...base,
  type: z.literal('continued'),
  /** What let it go on: a command, a step, the end of its pod or pass, the last client leaving, the end of the server. */
  reason: z.enum(['continue', 'step', 'intervention', 'restart', 'canceled', 'disconnected', 'shutdown']).optional(),
  stop: z.int().positive().optional(),
});

/**
 * Someone changed what happens: a fault, an intervention at a stop, a command. `span` is the span it touched, whose end event carries
 * the number as the attribute `intervention`, so that an injected failure is never taken for a real one.
 */
const intervention = z.object({
  ...base,
  type: z.literal('intervention'),
  /** Number of the intervention in this run, from 1. */
  id: z.int().positive(),
  action: z.enum(['fail', 'delay', 'hang', 'answer', 'set', 'drop', 'duplicate', 'skipWait', 'kill', 'restart', 'missProbe']),
  /** Where it came from: a fault set ahead of time, a stop, a command. */
  origin: z.enum(['fault', 'stop', 'command']),
  point: z.string().optional(),
  /** The fault's or plan's name. */
  name: z.string().optional(),
  /** What a person reads: `CreateContainer fails with Internal: disk full`. */
  text: z.string(),
  details: attributes.optional(),
});

/** Breakpoints, filters, faults or plans are others now: the lists as the debugger has them (the protocol has their schemas). */
const breakpointsChanged = z.object({
  ...base,
  type: z.literal('breakpointsChanged'),
  breakpoints: z.array(attributes),
  filters: z.array(attributes),
  faults: z.array(attributes),
  plans: z.array(attributes),
});

/** A line for the person who reads along (DAP: output). */
const output = z.object({
  ...base,
  type: z.literal('output'),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  message: z.string(),
  /** Where the line comes from, when not from the node itself. */
  category: z.enum(['logpoint', 'debugger']).optional(),
  /** The logpoint that wrote it. */
  breakpoint: z.int().positive().optional(),
  attributes: attributes.optional(),
});

/** Someone told the node to do something. */
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
