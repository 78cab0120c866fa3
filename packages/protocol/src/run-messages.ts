/**
 * Declares the commands for recorded runs: list, rename, tag, annotate, read by page, delete and export.
 * `docs/use/runs-and-files.md` describes the same operations over HTTP. Each description names the command's result;
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
    .describe('`interrupted`: the server was killed or the file is truncated. It has all events up to `lastSeq`.'),
  imported: z.boolean().describe('True if the run was imported from a file.'),
  firstSeq: z.int().nonnegative().describe('Number of the oldest saved event; 0 without events.'),
  lastSeq: z.int().nonnegative(),
  bytes: z.int().nonnegative().describe('Size of its events as text.'),
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

const run = z.string().max(64).describe('Id of the run; `current` for the current run.');

export const runCommandSchemas = [
  z
    .object({ command: z.literal('listRuns') })
    .describe('Lists the saved runs, newest first. Result: { runs: RunSummary[] }.'),
  z
    .object({ command: z.literal('renameRun'), run, title: z.string().max(maxTitleLength) })
    .describe('Sets the title of the run; an empty title removes it. Result: { run: RunSummary }.'),
  z
    .object({ command: z.literal('tagRun'), run, tags: z.array(tagSchema).max(maxTags) })
    .describe('Replaces the run’s tags. Result: { run: RunSummary }.'),
  z
    .object({
      command: z.literal('annotateRun'),
      run,
      note: z.int().positive().optional().describe('Id of the note to change. Default: a new note.'),
      seq: z
        .int()
        .positive()
        .optional()
        .describe('Number of the event of a new note. Default: the note is about the whole run.'),
      text: z.string().max(maxNoteLength).describe('Text of the note. An empty text deletes the note.'),
    })
    .describe('Adds, changes or deletes a note. Result: { note?: RunNote }.'),
  z
    .object({ command: z.literal('deleteRun'), run })
    .describe('Deletes a run with all its events. The current run cannot be deleted.'),
  z
    .object({
      command: z.literal('openRun'),
      run,
      after: z.int().nonnegative().optional().describe('Number of the last event that the client has. Default: none.'),
      at: z
        .int()
        .positive()
        .optional()
        .describe(
          'Starts the page at the last keyframe before this event and ignores `after`. `pods` contains the pods ' +
            'at the keyframe.',
        ),
      limit: z
        .int()
        .positive()
        .max(maxEventsPerPage)
        .optional()
        .describe('Maximum number of events in the page; default 1000. A page of large events has fewer.'),
    })
    .describe(
      'Returns a page of events in order, including events of the current run that the stream no longer has. ' +
        'Result: RunPage.',
    ),
  z
    .object({ command: z.literal('exportRun'), run, format: runExportFormatSchema })
    .describe(
      'Returns the path from which to download the run as a trace file, Chrome/Perfetto trace JSON or OTLP ' +
        'JSON. Result: { path, fileName, mediaType }.',
    ),
] as const;

export const runCommandSchema = z.discriminatedUnion('command', runCommandSchemas);
export type RunCommand = z.infer<typeof runCommandSchema>;
