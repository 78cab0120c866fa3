/** A fault in a text that someone wrote. */
import { z } from 'zod';

/** A fault in a manifest, at a place of the text and of the object. */
export const manifestErrorSchema = z.object({
  message: z.string(),
  /** `spec.containers[0].image` */
  field: z.string().optional(),
  /** From 1. */
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  /** Index of the document in the text, from 0. */
  document: z.int().nonnegative().optional(),
});
export type ManifestError = z.infer<typeof manifestErrorSchema>;
