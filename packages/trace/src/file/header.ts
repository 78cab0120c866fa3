/**
 * Defines the trace file: gzipped lines of JSON. The first line is the header, each following line an event, in order
 * of their numbers, and the last line is `{"end":{"events":N}}`. A file without the last line was truncated.
 */
import { z } from 'zod';
import { runInfoSchema } from './run-info.ts';

/** The value of `format` in every header, in all versions. */
export const traceFileFormat = 'podscope-trace';

/** The version that is written. Older versions are migrated, newer ones rejected. */
export const traceFileVersion = 2;

/** Extension of the file name. */
export const traceFileExtension = '.podscope';

export const traceFileMediaType = 'application/gzip';

export const traceFileHeaderSchema = z.object({
  format: z.literal(traceFileFormat),
  version: z.literal(traceFileVersion),
  /** Name and version of the program that wrote the file. */
  createdBy: z.string().max(200),
  /** Milliseconds since the Unix epoch. */
  createdAt: z.number(),
  run: runInfoSchema,
});
export type TraceFileHeader = z.infer<typeof traceFileHeaderSchema>;

/** The part of the header that is read before the version is known. */
export const versionedHeaderSchema = z.looseObject({ format: z.literal(traceFileFormat), version: z.int().positive() });

/** The last line. */
export const traceFileEndSchema = z.object({ end: z.object({ events: z.int().nonnegative() }) });
