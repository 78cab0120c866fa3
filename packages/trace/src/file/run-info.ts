/** Defines the metadata of a run, which the header of a trace file and the event store contain. */
import { z } from 'zod';

export const maxTitleLength = 200;
export const maxNoteLength = 10_000;
export const maxNotes = 1_000;
export const maxTags = 50;

/** The schema of a tag. Tags contain no spaces, so that a user can type several in one field. */
export const tagSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,62}$/u, 'a tag has up to 63 letters, digits or ._:/-');

export const runNoteSchema = z.object({
  id: z.int().positive(),
  /** The number of the event to which the note belongs; absent for a note on the whole run. */
  seq: z.int().positive().optional(),
  /** When the note was written, in milliseconds since the Unix epoch. */
  time: z.number(),
  text: z.string().min(1).max(maxNoteLength),
});
export type RunNote = z.infer<typeof runNoteSchema>;

/** The earlier run that this run repeats. Up to the event with the number `seq`, both are equal. */
export const repeatedRunSchema = z.object({ run: z.string().max(64), seq: z.int().nonnegative() });
export type RepeatedRun = z.infer<typeof repeatedRunSchema>;

/** The maximum number of breakpoints and exception filters of a run. */
const maxBreakpoints = 2_000;
const maxFilters = 100;

/** The breakpoints and exception filters of a run. The protocol defines the schemas of the entries. */
export const runDebugSchema = z.object({
  breakpoints: z
    .array(z.object({ group: z.string().max(200), spec: z.record(z.string(), z.unknown()) }))
    .max(maxBreakpoints),
  filters: z.array(z.record(z.string(), z.unknown())).max(maxFilters),
});
export type RunDebug = z.infer<typeof runDebugSchema>;

/**
 * Returns the breakpoints and filters to save with a run; undefined if both lists are empty. Breakpoints that are used
 * once are omitted.
 */
export function runDebugOf(lists: {
  readonly breakpoints: readonly object[];
  readonly filters: readonly object[];
}): RunDebug | undefined {
  const { data } = runDebugSchema.safeParse(lists);
  const breakpoints = data?.breakpoints.filter(({ spec }) => spec['oneShot'] !== true) ?? [];
  const filters = data?.filters ?? [];
  return breakpoints.length + filters.length === 0 ? undefined : { breakpoints, filters };
}

/** A genuine kubelet whose calls to its runtime were observed. */
export const observedKubeletSchema = z.object({
  /** The kubelet's version, for example `v1.36.2`; absent if no source reported it. */
  version: z.string().max(100).optional(),
  /** The sources, including those that delivered no data. */
  sources: z.array(z.string().max(40)).max(20),
  missing: z.array(z.string().max(40)).max(20),
  /** Whether the shadow engine used the profile of a release other than the kubelet's. */
  approximate: z.boolean(),
  /** The differences between the kubelet's release and the profile. */
  differences: z.array(z.string().max(500)).max(50),
});
export type ObservedKubelet = z.infer<typeof observedKubeletSchema>;

export const runInfoSchema = z.object({
  /** The id, which is unique among all nodes. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  title: z.string().max(maxTitleLength).optional(),
  tags: z.array(tagSchema).max(maxTags),
  notes: z.array(runNoteSchema).max(maxNotes),
  /** The start in milliseconds since the Unix epoch. */
  startedAt: z.number(),
  /** The end in milliseconds since the Unix epoch. Absent while the run continues, and if its server was killed. */
  endedAt: z.number().optional(),
  /** The run that this run repeats. */
  repeats: repeatedRunSchema.optional(),
  nodeName: z.string().max(253),
  runtime: z.object({
    name: z.string().max(200),
    version: z.string().max(200),
    kind: z.enum(['docker', 'sim', 'cri']),
  }),
  /** The Kubernetes release whose behavior the engine had, for example `v1.36`. */
  profile: z.string().max(40),
  /** Version of the engine. */
  engine: z.string().max(100),
  /** The numbered steps of SyncPod in this profile. */
  steps: z
    .array(
      z.object({
        id: z.string().max(200),
        step: z.int(),
        title: z.string().max(200),
        description: z.string().max(2_000),
      }),
    )
    .max(50),
  /** Present if the run was observed on a genuine kubelet. */
  observed: observedKubeletSchema.optional().catch(undefined),
  /** The last breakpoints of the run. Invalid lists are omitted, so that the run remains readable. */
  debug: runDebugSchema.optional().catch(undefined),
});
export type RunInfo = z.infer<typeof runInfoSchema>;
