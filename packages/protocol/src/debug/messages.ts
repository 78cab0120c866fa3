/**
 * Declares the debugger's commands. Clients send them over the stream like any other command, or over HTTP as the body
 * of `POST /debug/v1/commands`. The description of a command names its result; if it names none, the result is `{}`.
 */
import { z } from 'zod';
import {
  breakpointSpecSchema,
  exceptionFilterSchema,
  maxExpressionLength,
  sourceLocationSchema,
} from './breakpoints.ts';
import { faultSpecSchema, interventionActionSchema } from './faults.ts';
import { debugOptionsSchema } from './state.ts';

const thread = z.string().max(400).describe('A pod worker’s pod UID, or the name of a loop. `threads` lists them.');
const optionalThread = thread.optional();
const group = z
  .string()
  .max(200)
  .optional()
  .describe(
    'Lists are replaced per group, so that several clients or files can each keep their own. Default: the empty one.',
  );
const frame = z.int().positive().optional().describe('Number of the stack frame. Default: the innermost frame.');
/** Maximum number of expressions that the command `watch` evaluates at once. */
export const maxWatches = 100;

const expression = z.string().min(1).max(maxExpressionLength);
const container = { namespace: z.string().max(253), name: z.string().max(253), container: z.string().max(253) };

export const debugCommandSchemas = [
  z.object({ command: z.literal('debugState') }).describe('Returns the state of the debugger. Result: DebugState.'),
  z
    .object({ command: z.literal('points') })
    .describe('Lists all points at which a thread can stop, with their lines in the source. Result: PointsResult.'),
  z
    .object({ command: z.literal('threads') })
    .describe('Lists the pod workers, probe workers and loops that have run. Result: { threads: ThreadInfo[] }.'),

  z
    .object({ command: z.literal('setBreakpoints'), group, breakpoints: z.array(breakpointSpecSchema).max(1_000) })
    .describe(
      'Replaces the breakpoints of a group by this list. Unchanged breakpoints keep their id and hit count. ' +
        'Result: { breakpoints: BreakpointState[] }, one for each breakpoint of the list, in order.',
    ),
  z
    .object({ command: z.literal('checkBreakpoint'), breakpoint: breakpointSpecSchema })
    .describe(
      'Checks a breakpoint without setting it: whether its place exists and its expressions are valid. ' +
        'Result: { verified, message, source }.',
    ),
  z
    .object({ command: z.literal('setExceptionBreakpoints'), filters: z.array(exceptionFilterSchema).max(100) })
    .describe('Replaces the exception filters. Result: { filters: ExceptionFilterSpec[] }.'),

  z
    .object({ command: z.literal('pause'), thread: optionalThread })
    .describe('Stops the thread at its next point; without a thread, every pod worker. Result: { threads: string[] }.'),
  z
    .object({ command: z.literal('continue'), thread: optionalThread })
    .describe(
      'Continues the thread or cancels its pending pause; without a thread, all. Result: { threads: string[] }.',
    ),
  z
    .object({ command: z.literal('next'), thread })
    .describe('Step over: continues to the next span with the same parent, or to the end of the parent span.'),
  z
    .object({ command: z.literal('stepIn'), thread })
    .describe('Step into: continues to the next span, including child spans of this one.'),
  z.object({ command: z.literal('stepOut'), thread }).describe('Step out: continues to the end of the parent span.'),
  z
    .object({
      command: z.literal('runTo'),
      thread: optionalThread,
      point: z.string().max(200).optional(),
      source: sourceLocationSchema.optional(),
      when: z.enum(['before', 'after']).optional(),
    })
    .describe(
      'Sets a one-shot breakpoint at the point or line, on the thread’s pod if one is named, and lets the ' +
        'thread continue. Result: { breakpoint: BreakpointState }.',
    ),
  z
    .object({ command: z.literal('restartSync'), thread })
    .describe(
      'Ends the current sync of the pod worker and stops at the start of a new one. Calls that the sync has ' +
        'already made to the runtime are not undone.',
    ),

  z
    .object({
      command: z.literal('stackTrace'),
      thread,
      startFrame: z.int().nonnegative().optional(),
      levels: z.int().nonnegative().optional(),
    })
    .describe(
      'Returns the open spans of a stopped thread, innermost first. Result: { frames: StackFrame[], totalFrames }.',
    ),
  z
    .object({ command: z.literal('scopes'), thread, frame })
    .describe('Returns the scopes of a frame. Result: { scopes: Scope[] }.'),
  z
    .object({
      command: z.literal('variables'),
      variablesReference: z.int().positive(),
      start: z.int().nonnegative().optional(),
      count: z.int().positive().max(1_000).optional().describe('Maximum number of variables; default 100.'),
    })
    .describe('Returns a page of the members of a scope or value. Result: { variables: Variable[], total }.'),
  z
    .object({
      command: z.literal('setVariable'),
      variablesReference: z.int().positive(),
      name: z.string().max(200),
      value: z.unknown(),
    })
    .describe('Sets a changeable variable to a JSON value. Result: EvaluateResult.'),
  z
    .object({
      command: z.literal('setExpression'),
      thread,
      frame,
      expression: z.string().min(1).max(200),
      value: z.unknown(),
    })
    .describe(
      'Sets the changeable variable with this name, such as `podActions.createSandbox`, to a JSON value. Result: ' +
        'EvaluateResult.',
    ),
  z
    .object({ command: z.literal('evaluate'), thread, frame, expression })
    .describe('Evaluates a CEL expression in a frame of a stopped thread. Result: EvaluateResult.'),
  z
    .object({ command: z.literal('watch'), thread, frame, expressions: z.array(expression).max(maxWatches) })
    .describe(
      'Evaluates several expressions. Each has a value or an error, and a flag that is set if it changed since ' +
        'the last stop. Result: { values }.',
    ),
  z
    .object({ command: z.literal('changes'), thread })
    .describe(
      'Returns the variables of the innermost frame that changed since the last stop of the thread. Result: ' +
        '{ since, changes, truncated }.',
    ),

  z
    .object({ command: z.literal('setFaults'), group, faults: z.array(faultSpecSchema).max(1_000) })
    .describe('Replaces the faults of a group. Result: { faults: FaultState[] }.'),
  z
    .object({ command: z.literal('intervene'), thread, action: interventionActionSchema })
    .describe(
      'Applies an action to the span at which the thread is stopped, and continues the thread. Rejected without ' +
        'any effect if `set` names a variable that cannot be set to the value.',
    ),
  z
    .object({ command: z.literal('releaseFault'), id: z.int().positive().optional() })
    .describe('Releases a hanging call; without an id, all hanging calls. Result: { released: number[] }.'),
  z
    .object({ command: z.literal('setFaultPlan'), yaml: z.string().max(262_144), enabled: z.boolean().optional() })
    .describe('Adds or replaces a fault plan. It is enabled unless `enabled` is false. Result: { plan, errors }.'),
  z
    .object({ command: z.literal('enableFaultPlan'), name: z.string().max(63), enabled: z.boolean() })
    .describe('Enables a plan and resets its counters, or disables it. Result: { plan }.'),
  z.object({ command: z.literal('deleteFaultPlan'), name: z.string().max(63) }).describe('Deletes a fault plan.'),

  z
    .object({
      command: z.literal('killContainer'),
      ...container,
      signal: z.enum(['TERM', 'KILL']).optional(),
      exitCode: z
        .int()
        .min(0)
        .max(255)
        .optional()
        .describe('Exit code of the container, instead of a signal. Only in the simulator.'),
    })
    .describe(
      'Ends a running container without the kubelet’s knowledge: `KILL` at once (exit 137), `TERM` lets it exit by ' +
        'itself within 10 s. In the simulator, it can exit with any code. Result: { id: string }.',
    ),
  z
    .object({ command: z.literal('skipBackOff'), ...container })
    .describe(
      'Ends the current back-off of a container, for its restart or its image pull, and syncs the pod. The next ' +
        'failure continues the count. Result: { skipped: string[] }.',
    ),
  z
    .object({ command: z.literal('setBackOff'), ...container, seconds: z.number().nonnegative().max(86_400) })
    .describe('Sets the length of the container’s restart back-off.'),
  z
    .object({ command: z.literal('setDebugOptions'), options: debugOptionsSchema.partial() })
    .describe('Changes options of the debugger. Result: { options: DebugOptions }.'),
  z
    .object({ command: z.literal('detach') })
    .describe('Disconnects an HTTP client from the debugger. A client of the stream disconnects with its connection.'),
] as const;

export const debugCommandSchema = z.discriminatedUnion('command', debugCommandSchemas);
export type DebugCommand = z.infer<typeof debugCommandSchema>;
export type DebugCommandName = DebugCommand['command'];
