/** What is said of a run as a whole: the head of a trace file, and a row of the event store. */
import { z } from 'zod';

export const maxTitleLength = 200;
export const maxNoteLength = 10_000;
export const maxNotes = 1_000;
export const maxTags = 50;

/** Words without spaces, so that they can be typed after each other. */
export const tagSchema = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,62}$/u, 'a tag has up to 63 letters, digits or ._:/-');

export const runNoteSchema = z.object({
  id: z.int().positive(),
  /** The event it is about; absent: the run as a whole. */
  seq: z.int().positive().optional(),
  /** When it was written, in milliseconds since the Unix epoch. */
  time: z.number(),
  text: z.string().min(1).max(maxNoteLength),
});
export type RunNote = z.infer<typeof runNoteSchema>;

/** A run that was run again: up to the instant of its event `seq` the new one is the same. */
export const repeatedRunSchema = z.object({ run: z.string().max(64), seq: z.int().nonnegative() });
export type RepeatedRun = z.infer<typeof repeatedRunSchema>;

/** Most breakpoints and exception filters a run carries. */
const maxBreakpoints = 2_000;
const maxFilters = 100;

/** What a run was stopped by: the protocol has the schemas of what is in the lists, as with the event `breakpointsChanged`. */
export const runDebugSchema = z.object({
  breakpoints: z.array(z.object({ group: z.string().max(200), spec: z.record(z.string(), z.unknown()) })).max(maxBreakpoints),
  filters: z.array(z.record(z.string(), z.unknown())).max(maxFilters),
});
export type RunDebug = z.infer<typeof runDebugSchema>;

/** What a run carries of the lists of its debugger; undefined when nothing is set. What is gone once it has been hit stays behind. */
export function runDebugOf(lists: { readonly breakpoints: readonly object[]; readonly filters: readonly object[] }): RunDebug | undefined {
  const { data } = runDebugSchema.safeParse(lists);
  const breakpoints = data?.breakpoints.filter(({ spec }) => spec['oneShot'] !== true) ?? [];
  const filters = data?.filters ?? [];
  return breakpoints.length + filters.length === 0 ? undefined : { breakpoints, filters };
}

export const runInfoSchema = z.object({
  /** Unique over all nodes. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  title: z.string().max(maxTitleLength).optional(),
  tags: z.array(tagSchema).max(maxTags),
  notes: z.array(runNoteSchema).max(maxNotes),
  /** Milliseconds since the Unix epoch. */
  startedAt: z.number(),
  /** Absent while it goes on, and when its server was killed. */
  endedAt: z.number().optional(),
  /** The run that this one is another try of. */
  repeats: repeatedRunSchema.optional(),
  nodeName: z.string().max(253),
  runtime: z.object({ name: z.string().max(200), version: z.string().max(200), kind: z.enum(['docker', 'sim', 'cri']) }),
  /** The release whose flow the engine followed: `v1.36`. */
  profile: z.string().max(40),
  /** Version of the engine that ran it. */
  engine: z.string().max(100),
  /** The numbered steps of SyncPod in this profile. */
  steps: z.array(z.object({ id: z.string().max(200), step: z.int(), title: z.string().max(200), description: z.string().max(2_000) })).max(50),
  /** The breakpoints it had last. What can't be read of them keeps nobody from the run: it is left out. */
  debug: runDebugSchema.optional().catch(undefined),
});
export type RunInfo = z.infer<typeof runInfoSchema>;
