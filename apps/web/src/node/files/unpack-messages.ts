/** Declares the messages between the page and the worker that decompresses files. */
import { z } from 'zod';

/**
 * Minimum size of a chunk in bytes, except the last one. Smaller chunks would be slower, because sending a message
 * takes as long as copying many bytes.
 */
export const chunkSize = 1024 * 1024;

/** Maximum number of chunks that the worker sends before the page has received the first of them. */
export const chunksAhead = 32;

export type ToUnpacker = { readonly file: Blob } | { readonly taken: true };

export const fromUnpackerSchema = z.union([
  z.object({ chunk: z.instanceof(Uint8Array) }),
  z.object({ end: z.literal(true), problem: z.string().optional() }),
  z.object({ code: z.enum(['notATrace', 'tooNew', 'broken', 'tooLarge']), message: z.string() }),
]);
export type FromUnpacker = z.infer<typeof fromUnpackerSchema>;
