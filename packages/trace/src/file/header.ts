/**
 * The trace file: gzip over lines of JSON. First the header, then one event a line in the order of their numbers, last
 * `{"end":{"events":N}}`, by which a file that was cut short is known.
 */
import { z } from 'zod';
import { runInfoSchema } from './run-info.ts';

/** The first member of every header, in all versions. */
export const traceFileFormat = 'podscope-trace';

/** What is written. Older ones are migrated, newer ones refused. */
export const traceFileVersion = 2;

/** Ending of a file's name. */
export const traceFileExtension = '.podscope';

export const traceFileMediaType = 'application/gzip';

export const traceFileHeaderSchema = z.object({
  format: z.literal(traceFileFormat),
  version: z.literal(traceFileVersion),
  /** The program that wrote it, with its version. */
  createdBy: z.string().max(200),
  /** Milliseconds since the Unix epoch. */
  createdAt: z.number(),
  run: runInfoSchema,
});
export type TraceFileHeader = z.infer<typeof traceFileHeaderSchema>;

/** As much as has to be known before the version decides how to read on. */
export const versionedHeaderSchema = z.looseObject({ format: z.literal(traceFileFormat), version: z.int().positive() });

/** The last line. */
export const traceFileEndSchema = z.object({ end: z.object({ events: z.int().nonnegative() }) });
