/** Declares the debugger's state and the results of the commands that inspect a stopped thread. */
import { z } from 'zod';
import { manifestErrorSchema } from '../manifest-error.ts';
import { breakpointStateSchema, exceptionFilterSchema, sourceLocationSchema } from './breakpoints.ts';
import { faultPlanStateSchema, faultStateSchema, heldCallSchema } from './faults.ts';

const podName = z.object({ uid: z.string(), namespace: z.string(), name: z.string() });

/** The reason for a stop, as in DAP's `stopped` event. */
export const stopReasonSchema = z.enum(['breakpoint', 'step', 'pause', 'exception', 'goto', 'restart']);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** A stopped thread. */
export const stoppedThreadSchema = z.object({
  thread: z.string(),
  pod: podName.optional(),
  reason: stopReasonSchema,
  /** The reason as text: `Breakpoint 3: before Create the sandbox (attempt 1)`. */
  text: z.string(),
  point: z.string(),
  title: z.string(),
  phase: z.enum(['before', 'after']),
  /** The innermost open span. */
  span: z.int().positive(),
  breakpoints: z.array(z.int().positive()).describe('Ids of the breakpoints that were hit.'),
  filter: z.string().optional().describe('The exception filter that was hit.'),
  source: sourceLocationSchema.optional(),
  since: z.number().describe('Milliseconds since the Unix epoch.'),
  /** Number of the stop. References to variables are valid until the stop ends. */
  stop: z.int().positive(),
});
export type StoppedThread = z.infer<typeof stoppedThreadSchema>;

export const debugOptionsSchema = z.object({
  probes: z
    .enum(['missed', 'held', 'made'])
    .describe(
      'Probes of a pod whose worker is stopped: skipped and recorded as missed (default), held until the worker ' +
        'continues, or made as usual.',
    ),
  onDisconnect: z
    .enum(['release', 'keep'])
    .describe(
      'When the last client disconnects: `release` continues all threads and stops none until a client connects ' +
        'again; `keep` leaves the stops unchanged.',
    ),
});
export type DebugOptions = z.infer<typeof debugOptionsSchema>;

/** The complete state of a node's debugger. Sent with `welcome`, and as the result of `debugState`. */
export const debugStateSchema = z.object({
  /** Increases with every change. */
  version: z.int().nonnegative(),
  /**
   * True if threads can stop: either a client is connected, or the option `onDisconnect` allows stops without a client.
   */
  attached: z.boolean(),
  options: debugOptionsSchema,
  stopped: z.array(stoppedThreadSchema),
  /** Threads for which `pause` was requested. Each stops at the next start or end of a span. */
  pausing: z.array(z.string()),
  held: z.array(heldCallSchema),
  breakpoints: z.array(breakpointStateSchema),
  filters: z.array(exceptionFilterSchema),
  faults: z.array(faultStateSchema),
  plans: z.array(faultPlanStateSchema),
});
export type DebugState = z.infer<typeof debugStateSchema>;

/** A point of the flow, as listed to clients. */
export const pointInfoSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  description: z.string().optional(),
  step: z.int().positive().optional(),
  upstream: z.string().optional(),
  source: sourceLocationSchema.optional(),
});
export type PointInfo = z.infer<typeof pointInfoSchema>;

export const pointsResultSchema = z.object({
  points: z.array(pointInfoSchema),
  /** The rules that a breakpoint can name in `decision`. */
  decisions: z.array(z.object({ rule: z.string(), source: sourceLocationSchema.optional() })),
  /** The variables that a condition can name. */
  variables: z.array(z.string()),
});
export type PointsResult = z.infer<typeof pointsResultSchema>;

export const threadSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['worker', 'probe', 'loop']),
  pod: podName.optional(),
  state: z.enum(['running', 'stopped']),
});
export type ThreadInfo = z.infer<typeof threadSchema>;

/** DAP: StackFrame. Frames are listed innermost first. */
export const stackFrameSchema = z.object({
  /** Id of the span. */
  id: z.int().positive(),
  name: z.string(),
  point: z.string(),
  kind: z.string(),
  step: z.int().positive().optional(),
  upstream: z.string().optional(),
  source: sourceLocationSchema.optional(),
});
export type StackFrame = z.infer<typeof stackFrameSchema>;
export const stackTraceResultSchema = z.object({ frames: z.array(stackFrameSchema), totalFrames: z.int() });

/** DAP: Scope. */
export const scopeSchema = z.object({
  name: z.string(),
  /** Reference to pass to the `variables` command, valid until the thread continues. */
  variablesReference: z.int().positive(),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
  /** True if the scope is large, or slow to read. */
  expensive: z.boolean(),
});
export type Scope = z.infer<typeof scopeSchema>;

/** DAP: Variable. */
export const variableSchema = z.object({
  name: z.string(),
  value: z
    .string()
    .describe(
      'The value as one line of text, strings in quotes. Truncated at 1,000 characters in a list and at 65,536 ' +
        'when evaluated. Secrets are masked.',
    ),
  type: z.string(),
  /** Greater than 0 if the variable can be expanded. */
  variablesReference: z.int().nonnegative(),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
  /** An expression for `evaluate` that returns this value. */
  evaluateName: z.string().optional(),
  /** True if `setVariable` can change the value. */
  changeable: z.boolean().optional(),
  /** True if the value has changed since the thread's last stop. */
  changed: z.boolean().optional(),
});
export type Variable = z.infer<typeof variableSchema>;
export const variablesResultSchema = z.object({ variables: z.array(variableSchema), total: z.int() });

export const evaluateResultSchema = variableSchema.omit({ name: true });
export type EvaluateResult = z.infer<typeof evaluateResultSchema>;

export const watchResultSchema = z.object({
  values: z.array(
    z.union([
      evaluateResultSchema.extend({ expression: z.string() }),
      z.object({ expression: z.string(), error: z.string() }),
    ]),
  ),
});

/** The differences between this stop of the thread and its previous stop. */
export const changesResultSchema = z.object({
  /** Number of the previous stop; absent at the first stop. */
  since: z.int().positive().optional(),
  changes: z.array(z.object({ path: z.string(), before: z.string().optional(), after: z.string().optional() })),
  truncated: z.boolean(),
});

export const faultPlanResultSchema = z.object({
  plan: faultPlanStateSchema.optional(),
  /** The errors in the text. A plan with errors is not saved. */
  errors: z.array(manifestErrorSchema),
});
