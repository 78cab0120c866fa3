/** Declares the schema of errors in a manifest or another YAML text. */
import { z } from 'zod';

/** An error in a text, with its position in the text and in the object. */
export const manifestErrorSchema = z.object({
  message: z.string(),
  /** Path of the field: `spec.containers[0].image`. */
  field: z.string().optional(),
  /** Line number, from 1. */
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  /** Index of the document in the text, from 0. */
  document: z.int().nonnegative().optional(),
});
export type ManifestError = z.infer<typeof manifestErrorSchema>;
