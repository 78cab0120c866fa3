/** Declares the messages between the page and the worker that unpacks files. */
import type { PackedLines } from '@podscope/trace/file';
import { z } from 'zod';

export type ToUnpacker = { readonly file: Blob } | { readonly taken: true };

const numbers = z.instanceof(Float64Array);

const packedLinesSchema: z.ZodType<PackedLines> = z.object({
  fresh: z.boolean(),
  templates: z.array(z.string()),
  rows: z.instanceof(Uint32Array),
  seqs: numbers,
  times: numbers,
  spans: numbers,
  parents: numbers,
  whole: z.boolean(),
});

export const fromUnpackerSchema = z.union([
  z.object({ lines: packedLinesSchema }),
  z.object({ end: z.literal(true), problem: z.string().optional() }),
  z.object({ code: z.enum(['notATrace', 'tooNew', 'broken', 'tooLarge']), message: z.string() }),
]);
export type FromUnpacker = z.infer<typeof fromUnpackerSchema>;
