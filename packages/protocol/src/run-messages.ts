/**
 * Declares the commands for recorded runs: list, rename, tag, annotate, read by page, delete and export.
 * `docs/runs-and-files.md` describes the same operations over HTTP. Each description names the command's result;
 * without one the result is `{}`. An unknown run is answered with NotFound.
 */
import {
  maxNoteLength,
  maxTags,
  maxTitleLength,
  runInfoSchema,
  runNoteSchema,
  tagSchema,
} from '@podscope/trace/run-info';
import { z } from 'zod';

/** Maximum number of events in one page. */
export const maxEventsPerPage = 2_000;

/** The export formats of a run. */
export const runExportFormats = ['file', 'perfetto', 'otlp'] as const;
export const runExportFormatSchema = z.enum(runExportFormats);
export type RunExportFormat = z.infer<typeof runExportFormatSchema>;

/** A run in a list. */
export const runSummarySchema = runInfoSchema.extend({
  state: z
    .enum(['current', 'ended', 'interrupted'])
    .describe('`interrupted`: its server was killed, or its file cut short. All events up to `lastSeq` are there.'),
  imported: z.boolean().describe('It came from a file.'),
  firstSeq: z.int().nonnegative().describe('The oldest event that is kept; 0 when there is none.'),
  lastSeq: z.int().nonnegative(),
  bytes: z.int().nonnegative().describe('What its events take, as text.'),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const listRunsResultSchema = z.object({
  /** Newest first. */
  runs: z.array(runSummarySchema),
});

export const runResultSchema = z.object({ run: runSummarySchema });

export const annotateRunResultSchema = z.object({ note: runNoteSchema.optional() });

/** A page of a run's events. This schema leaves the events unchecked: the schema of the event log validates them. */
export const runPageSchema = z.object({
  run: runSummarySchema,
  events: z.array(z.record(z.string(), z.unknown())),
  /**
   * v1.Pod objects as of the start of the page, if the page begins at a keyframe. A reader that has them doesn't need
   * earlier events.
   */
  pods: z.array(z.record(z.string(), z.unknown())).readonly().optional(),
  /** Value of `after` for the next page; absent on the last page. */
  next: z.int().positive().optional(),
});
export type RunPage = z.infer<typeof runPageSchema>;

export const exportRunResultSchema = z.object({
  /** Path for an HTTP GET. The request needs the same cookie or token as the stream. */
  path: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
});

const run = z.string().max(64).describe('The run’s id; `current` is the one that goes on.');

export const runCommandSchemas = [
  z
    .object({ command: z.literal('listRuns') })
    .describe('All runs that are kept, newest first. Result: { runs: RunSummary[] }.'),
  z
    .object({ command: z.literal('renameRun'), run, title: z.string().max(maxTitleLength) })
    .describe('Gives the run a title; an empty one takes it away. Result: { run: RunSummary }.'),
  z
    .object({ command: z.literal('tagRun'), run, tags: z.array(tagSchema).max(maxTags) })
    .describe('Replaces the run’s tags. Result: { run: RunSummary }.'),
  z
    .object({
      command: z.literal('annotateRun'),
      run,
      note: z.int().positive().optional().describe('The note to change; absent: a new one.'),
      seq: z.int().positive().optional().describe('The event a new note is about; absent: the run as a whole.'),
      text: z.string().max(maxNoteLength).describe('Empty: the note is taken away.'),
    })
    .describe('Writes, changes or takes away a note. Result: { note?: RunNote }.'),
  z
    .object({ command: z.literal('deleteRun'), run })
    .describe('Deletes a run with all its events. The current one cannot be deleted.'),
  z
    .object({
      command: z.literal('openRun'),
      run,
      after: z.int().nonnegative().optional().describe('The last event number the client has; default: none.'),
      at: z
        .int()
        .positive()
        .optional()
        .describe(
          'Begins at the last keyframe before this event, instead of after `after`; `pods` has the pods as they ' +
            'were there.',
        ),
      limit: z
        .int()
        .positive()
        .max(maxEventsPerPage)
        .optional()
        .describe('Most events in the page; default 1000. Large events make it shorter.'),
    })
    .describe(
      'A page of a run’s events in order, also of those of the current run that the stream no longer has. ' +
        'Result: RunPage.',
    ),
  z
    .object({ command: z.literal('exportRun'), run, format: runExportFormatSchema })
    .describe(
      'Where the run can be downloaded from as a trace file, Chrome/Perfetto trace JSON or OTLP JSON. Result: { ' +
        'path, fileName, mediaType }.',
    ),
] as const;

export const runCommandSchema = z.discriminatedUnion('command', runCommandSchemas);
export type RunCommand = z.infer<typeof runCommandSchema>;
