/**
 * Declares the commands that step back through recorded events, of the current run and of saved runs. The commands undo
 * nothing and move no thread. The answer to a command names the event to show and the state at that event; `openRun`
 * with `at` returns the events around that event.
 */
import { z } from 'zod';
import { breakpointSpecSchema, exceptionFilterSchema, sourceLocationSchema } from './debug/breakpoints.ts';
import { stackFrameSchema } from './debug/state.ts';

const run = z
  .string()
  .max(64)
  .optional()
  .describe('Id of the run. Default: the current run, or the run that is shown.');
const at = z
  .int()
  .positive()
  .optional()
  .describe(
    'Number of the event to start from: `seq` of the last result. Default: the event at which the thread is ' +
      'stopped, or else the end of the run.',
  );

export const pastCommandSchemas = [
  z
    .object({
      command: z.literal('stepBack'),
      run,
      thread: z.string().max(400).describe('A pod worker’s pod UID, or the name of a loop.'),
      at,
      granularity: z
        .enum(['over', 'into', 'out'])
        .optional()
        .describe(
          '`over` (default) goes back to the start of the current call, or of the one before it; `into` to the ' +
            'previous place, including those inside calls; `out` to the start of the parent span.',
        ),
    })
    .describe('Steps back once. Result: PastPlace; NotFound at the start of the recording.'),
  z
    .object({
      command: z.literal('reverseContinue'),
      run,
      thread: z.string().max(400).optional().describe('Default: any thread.'),
      at,
      breakpoints: z
        .array(breakpointSpecSchema)
        .max(1_000)
        .optional()
        .describe(
          'Default for breakpoints and filters: the current ones, or for a saved run those it was recorded ' +
            'with. Hits are counted from the start of the recording.',
        ),
      filters: z.array(exceptionFilterSchema).max(100).optional(),
    })
    .describe(
      'Goes back to the last place where a thread would have stopped, or else to the start of the recording. ' +
        'Result: PastPlace; NotFound at the start of the recording.',
    ),
] as const;

/** A place in the past of a thread. */
export const pastPlaceSchema = z.object({
  run: z.string(),
  seq: z.int().positive().describe('Number of the event. Clients show the state after it.'),
  time: z.number(),
  thread: z.string(),
  pod: z.object({ uid: z.string(), namespace: z.string(), name: z.string() }).optional(),
  phase: z.enum(['before', 'after']),
  point: z.string(),
  title: z.string(),
  /** The innermost open span. */
  span: z.int().positive(),
  source: sourceLocationSchema.optional(),
  frames: z.array(stackFrameSchema).describe('Innermost first.'),
  arguments: z.record(z.string(), z.unknown()).describe('Values at the start of the span.'),
  outcome: z.enum(['ok', 'error', 'canceled']).optional().describe('Outcome of the span, if `phase` is `after`.'),
  error: z.object({ reason: z.string(), message: z.string() }).optional(),
  result: z.record(z.string(), z.unknown()).optional().describe('Result of the span, if `phase` is `after`.'),
  hit: z
    .boolean()
    .optional()
    .describe('For `reverseContinue`: false if no breakpoint was hit and this is the start of the recording.'),
  breakpoints: z
    .array(z.int().positive())
    .optional()
    .describe('Ids of the breakpoints that were hit. Breakpoints of the command are numbered from 1.'),
  filter: z.string().optional().describe('The exception filter that was hit.'),
  unjudged: z
    .array(z.object({ breakpoint: z.int().positive(), message: z.string() }))
    .optional()
    .describe(
      'Breakpoints that were ignored because their condition names a value that is not recorded, such as podActions.',
    ),
});
export type PastPlace = z.infer<typeof pastPlaceSchema>;
