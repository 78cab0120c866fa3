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
} from './debug-breakpoints.ts';
import { faultSpecSchema, interventionActionSchema } from './debug-faults.ts';
import { debugOptionsSchema } from './debug-state.ts';

const thread = z.string().max(400).describe('A pod worker’s pod UID, or the name of a loop. `threads` lists them.');
const optionalThread = thread.optional();
const group = z
  .string()
  .max(200)
  .optional()
  .describe(
    'Lists are replaced per group, so that several clients or files can each keep their own. Default: the empty one.',
  );
const frame = z.int().positive().optional().describe('A frame of the stack; default: the innermost.');
const expression = z.string().min(1).max(maxExpressionLength);
const container = { namespace: z.string().max(253), name: z.string().max(253), container: z.string().max(253) };

export const debugCommandSchemas = [
  z.object({ command: z.literal('debugState') }).describe('The debugger’s whole state. Result: DebugState.'),
  z
    .object({ command: z.literal('points') })
    .describe('Every place that can be stopped at, with its line in the engine’s source. Result: PointsResult.'),
  z
    .object({ command: z.literal('threads') })
    .describe('Pod workers, probe workers and loops that have run. Result: { threads: ThreadInfo[] }.'),

  z
    .object({ command: z.literal('setBreakpoints'), group, breakpoints: z.array(breakpointSpecSchema).max(1_000) })
    .describe(
      'Replaces the breakpoints of a group by this list. What is the same in both keeps its id and its hits. ' +
        'Result: { breakpoints: BreakpointState[] }, one for each of the list, in order.',
    ),
  z
    .object({ command: z.literal('checkBreakpoint'), breakpoint: breakpointSpecSchema })
    .describe(
      'What would become of a breakpoint, without setting it: whether its place exists and its expressions can ' +
        'be read. Result: { verified, message, source }.',
    ),
  z
    .object({ command: z.literal('setExceptionBreakpoints'), filters: z.array(exceptionFilterSchema).max(100) })
    .describe('Replaces what is stopped at without naming a place. Result: { filters: ExceptionFilterSpec[] }.'),

  z
    .object({ command: z.literal('pause'), thread: optionalThread })
    .describe(
      'Stops the thread at the next gate it passes; without a thread, every pod worker. Result: { threads: string[] }.',
    ),
  z
    .object({ command: z.literal('continue'), thread: optionalThread })
    .describe(
      'Continues the thread, or cancels its pending pause; without a thread, every one. Result: { threads: string[] }.',
    ),
  z
    .object({ command: z.literal('next'), thread })
    .describe('Step over: on to the next span beside this one, or the end of the one around it.'),
  z
    .object({ command: z.literal('stepIn'), thread })
    .describe('Step into: on to the next span, also one inside this one.'),
  z.object({ command: z.literal('stepOut'), thread }).describe('Step out: on to the end of the span around this one.'),
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
        'thread go on. Result: { breakpoint: BreakpointState }.',
    ),
  z
    .object({ command: z.literal('restartSync'), thread })
    .describe(
      'Ends the pass the pod worker is in, and stops at the beginning of a new one. What the pass has done to ' +
        'the runtime stays done.',
    ),

  z
    .object({
      command: z.literal('stackTrace'),
      thread,
      startFrame: z.int().nonnegative().optional(),
      levels: z.int().nonnegative().optional(),
    })
    .describe('Open spans of a stopped thread, innermost first. Result: { frames: StackFrame[], totalFrames }.'),
  z
    .object({ command: z.literal('scopes'), thread, frame })
    .describe('What can be looked at in a frame. Result: { scopes: Scope[] }.'),
  z
    .object({
      command: z.literal('variables'),
      variablesReference: z.int().positive(),
      start: z.int().nonnegative().optional(),
      count: z.int().positive().max(1_000).optional().describe('At most that many; default 100.'),
    })
    .describe('The members of a scope or value, by page. Result: { variables: Variable[], total }.'),
  z
    .object({
      command: z.literal('setVariable'),
      variablesReference: z.int().positive(),
      name: z.string().max(200),
      value: z.unknown(),
    })
    .describe('Gives a changeable variable another value (as JSON). Result: EvaluateResult.'),
  z
    .object({
      command: z.literal('setExpression'),
      thread,
      frame,
      expression: z.string().min(1).max(200),
      value: z.unknown(),
    })
    .describe(
      'Gives what is changeable under that name (`podActions.createSandbox`) another value (as JSON). Result: ' +
        'EvaluateResult.',
    ),
  z
    .object({ command: z.literal('evaluate'), thread, frame, expression })
    .describe('The value of a CEL expression in a stopped frame. Result: EvaluateResult.'),
  z
    .object({ command: z.literal('watch'), thread, frame, expressions: z.array(expression).max(100) })
    .describe(
      'Several expressions at once, each with its value or error, and whether it changed since the last stop. ' +
        'Result: { values }.',
    ),
  z
    .object({ command: z.literal('changes'), thread })
    .describe(
      'What differs in the innermost frame’s variables from the thread’s last stop. Result: { since, changes, ' +
        'truncated }.',
    ),

  z
    .object({ command: z.literal('setFaults'), group, faults: z.array(faultSpecSchema).max(1_000) })
    .describe('Replaces the faults of a group. Result: { faults: FaultState[] }.'),
  z
    .object({ command: z.literal('intervene'), thread, action: interventionActionSchema })
    .describe(
      'Does something to the span at which the thread is stopped, and lets it go on. Refused, and nothing done, ' +
        'when `set` names what cannot be changed so.',
    ),
  z
    .object({ command: z.literal('releaseFault'), id: z.int().positive().optional() })
    .describe('Ends a call’s hanging; without an id, all of them. Result: { released: number[] }.'),
  z
    .object({ command: z.literal('setFaultPlan'), yaml: z.string().max(262_144), enabled: z.boolean().optional() })
    .describe('Adds or replaces a fault plan by its YAML, enabled unless said otherwise. Result: { plan, errors }.'),
  z
    .object({ command: z.literal('enableFaultPlan'), name: z.string().max(63), enabled: z.boolean() })
    .describe('Switches a plan on (its counters start anew) or off. Result: { plan }.'),
  z.object({ command: z.literal('deleteFaultPlan'), name: z.string().max(63) }).describe('Forgets a plan.'),

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
        .describe('It exits with this code, instead of by a signal. Only the simulator can: a process has its own.'),
    })
    .describe(
      'Ends a running container behind the kubelet’s back: `KILL` at once (exit 137), `TERM` lets it exit by ' +
        'itself within 10 s; or, on the simulator, with a code of your choice. Result: { id: string }.',
    ),
  z
    .object({ command: z.literal('skipBackOff'), ...container })
    .describe(
      'Ends the wait a container is in, of its restart or its image pull, and syncs the pod. The next failure ' +
        'counts on from there. Result: { skipped: string[] }.',
    ),
  z
    .object({ command: z.literal('setBackOff'), ...container, seconds: z.number().nonnegative().max(86_400) })
    .describe('Gives the container’s restart back-off another length.'),
  z
    .object({ command: z.literal('setDebugOptions'), options: debugOptionsSchema.partial() })
    .describe('Changes how the debugger behaves. Result: { options: DebugOptions }.'),
  z
    .object({ command: z.literal('detach') })
    .describe('For clients over HTTP: counts them as gone. (A client of the stream is gone when its connection is.)'),
] as const;

export const debugCommandSchema = z.discriminatedUnion('command', debugCommandSchemas);
export type DebugCommand = z.infer<typeof debugCommandSchema>;
export type DebugCommandName = DebugCommand['command'];
