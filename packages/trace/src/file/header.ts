/**
 * Defines the trace file, which consists of gzipped lines of JSON. The first line is the header. Each further line is
 * an event, in the order of the numbers. The last line is `{"end":{"events":N}}`; a file without this line was
 * truncated.
 */
import { z } from 'zod';
import { runInfoSchema } from './run-info.ts';

/** The value of `format` in every header, in all versions. */
export const traceFileFormat = 'podscope-trace';

/** The version with which files are written. Older versions are migrated, newer ones are rejected. */
export const traceFileVersion = 2;

/** The extension of file names. */
export const traceFileExtension = '.podscope';

export const traceFileMediaType = 'application/gzip';

export const traceFileHeaderSchema = z.object({
  format: z.literal(traceFileFormat),
  version: z.literal(traceFileVersion),
  /** The name and the version of the program that wrote the file. */
  createdBy: z.string().max(200),
  /** The time in milliseconds since the Unix epoch. */
  createdAt: z.number(),
  run: runInfoSchema,
});
export type TraceFileHeader = z.infer<typeof traceFileHeaderSchema>;

/** The part of the header that is read before the version is known. */
export const versionedHeaderSchema = z.looseObject({ format: z.literal(traceFileFormat), version: z.int().positive() });

/** The schema of the last line. */
export const traceFileEndSchema = z.object({ end: z.object({ events: z.int().nonnegative() }) });
