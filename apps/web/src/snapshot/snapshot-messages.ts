/** What the page and the worker that reads snapshots say to each other. */
import { z } from 'zod';

const values = z.record(z.string(), z.union([z.string(), z.number()]));
/** A text of the engine's explanations, by name. */
const text = z.object({ id: z.string(), values, nested: z.record(z.string(), z.object({ id: z.string(), values })).optional() });

const entry = z.discriminatedUnion('kind', [
  z.object({ at: z.number(), kind: z.literal('start'), container: z.string(), attempt: z.number() }),
  z.object({ at: z.number(), kind: z.literal('exit'), container: z.string(), exitCode: z.number(), reason: z.string(), isGuess: z.boolean() }),
  z.object({ at: z.number(), kind: z.literal('wait'), container: z.string(), of: z.enum(['container', 'image']), seconds: z.number() }),
  z.object({ at: z.number(), kind: z.literal('event'), reason: z.string(), message: z.string() }),
  z.object({ at: z.number(), kind: z.literal('phase'), phase: z.string() }),
  z.object({ at: z.number(), kind: z.literal('gone') }),
]);
export type OutlookEntry = z.infer<typeof entry>;

/** One pod of a snapshot, as far as the dialog shows it. */
const outlook = z.object({
  pod: z.object({ namespace: z.string(), name: z.string(), uid: z.string() }),
  observedAt: z.number(),
  headline: z.string(),
  diagnoses: z.array(z.object({ reason: z.string(), title: text, cause: z.array(text), said: z.string().optional() })),
  waits: z.array(z.object({ container: z.string(), kind: z.enum(['container', 'image']), seconds: z.number(), until: z.number() })),
  entries: z.array(entry),
  until: z.number(),
  notices: z.array(z.string()),
});
export type Outlook = z.infer<typeof outlook>;

/** The worker's answer to a text. */
export const snapshotAnswerSchema = z.object({
  outlooks: z.array(outlook),
  /** What could not be read: a line each. */
  errors: z.array(z.string()),
  notices: z.array(z.string()),
});
export type SnapshotAnswer = z.infer<typeof snapshotAnswerSchema>;

export const snapshotQuestionSchema = z.object({ text: z.string(), profile: z.enum(['v1.36', 'v1.20']) });
export type SnapshotQuestion = z.infer<typeof snapshotQuestionSchema>;
