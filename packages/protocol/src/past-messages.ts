/**
 * Declares the commands that step back through recorded events, of the current run and of saved runs. The commands undo
 * nothing and move no thread. Their answer names the event to show and the state at that event; `openRun` with `at`
 * returns the events around that event.
 */
import { z } from 'zod';
import { breakpointSpecSchema, exceptionFilterSchema, sourceLocationSchema } from './debug-breakpoints.ts';
import { stackFrameSchema } from './debug-state.ts';

const run = z.string().max(64).optional().describe('The run’s id; default: the one that goes on, or is shown.');
const at = z
  .int()
  .positive()
  .optional()
  .describe(
    'Number of the event that is stood at, as the last answer gave it. Default: where the thread is stopped, or ' +
      'else the end of the run.',
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
          '`over` (default) goes back over a whole call: to its start, or that of the one before it; `into` to ' +
            'the very last place; `out` to the start of the span around.',
        ),
    })
    .describe('One step back. Result: PastPlace; NotFound at the beginning.'),
  z
    .object({
      command: z.literal('reverseContinue'),
      run,
      thread: z.string().max(400).optional().describe('Default: any.'),
      at,
      breakpoints: z
        .array(breakpointSpecSchema)
        .max(1_000)
        .optional()
        .describe(
          'Default, with the filters: those that are set, for a kept run those it had. Hits count from where ' +
            'the recording begins.',
        ),
      filters: z.array(exceptionFilterSchema).max(100).optional(),
    })
    .describe(
      'Back to the last place where a thread would have stopped, else to the beginning of the recording. ' +
        'Result: PastPlace; NotFound at the beginning.',
    ),
] as const;

/** A place in the past of a thread. */
export const pastPlaceSchema = z.object({
  run: z.string(),
  seq: z.int().positive().describe('The event: what is to be shown is the state after it.'),
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
  arguments: z.record(z.string(), z.unknown()).describe('What was known when the span began.'),
  outcome: z.enum(['ok', 'error', 'canceled']).optional().describe('After it: how it came out.'),
  error: z.object({ reason: z.string(), message: z.string() }).optional(),
  result: z.record(z.string(), z.unknown()).optional().describe('After it: what became known while it ran.'),
  hit: z.boolean().optional().describe('`reverseContinue`: false where nothing was met, and the recording begins.'),
  breakpoints: z
    .array(z.int().positive())
    .optional()
    .describe('Ids of the breakpoints that were met; of a list that came with the command, its numbers from 1.'),
  filter: z.string().optional().describe('The exception filter that was met.'),
  unjudged: z
    .array(z.object({ breakpoint: z.int().positive(), message: z.string() }))
    .optional()
    .describe('Breakpoints whose condition names what is not recorded, such as podActions: they were passed over.'),
});
export type PastPlace = z.infer<typeof pastPlaceSchema>;
