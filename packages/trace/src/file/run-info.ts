/** Defines the metadata of a run: in the header of trace files and in the event store. */
import { z } from 'zod';

export const maxTitleLength = 200;
export const maxNoteLength = 10_000;
export const maxNotes = 1_000;
export const maxTags = 50;

/** Tags have no spaces, so that several can be typed in one field. */
export const tagSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,62}$/u, 'a tag has up to 63 letters, digits or ._:/-');

export const runNoteSchema = z.object({
  id: z.int().positive(),
  /** Number of the event that the note is about; absent for a note on the whole run. */
  seq: z.int().positive().optional(),
  /** Time of writing, in milliseconds since the Unix epoch. */
  time: z.number(),
  text: z.string().min(1).max(maxNoteLength),
});
export type RunNote = z.infer<typeof runNoteSchema>;

/** An earlier run that this run repeats. Both are the same up to event `seq`. */
export const repeatedRunSchema = z.object({ run: z.string().max(64), seq: z.int().nonnegative() });
export type RepeatedRun = z.infer<typeof repeatedRunSchema>;

/** Maximum number of breakpoints and exception filters of a run. */
const maxBreakpoints = 2_000;
const maxFilters = 100;

/** The breakpoints and exception filters of a run. The protocol has the schemas of the entries. */
export const runDebugSchema = z.object({
  breakpoints: z
    .array(z.object({ group: z.string().max(200), spec: z.record(z.string(), z.unknown()) }))
    .max(maxBreakpoints),
  filters: z.array(z.record(z.string(), z.unknown())).max(maxFilters),
});
export type RunDebug = z.infer<typeof runDebugSchema>;

/**
 * Returns the breakpoints and filters to save with a run, or undefined if both lists are empty. One-shot breakpoints
 * are omitted.
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

/** A genuine kubelet whose conversation with its runtime was observed. */
export const observedKubeletSchema = z.object({
  /** `v1.36.2`; absent if no source reported it. */
  version: z.string().max(100).optional(),
  /** The sources that delivered something, and those that didn't. */
  sources: z.array(z.string().max(40)).max(20),
  missing: z.array(z.string().max(40)).max(20),
  /** True if the shadow engine's profile isn't that of the kubelet's release. */
  approximate: z.boolean(),
  /** Differences between the release and the profile. */
  differences: z.array(z.string().max(500)).max(50),
});
export type ObservedKubelet = z.infer<typeof observedKubeletSchema>;

export const runInfoSchema = z.object({
  /** Unique among all nodes. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  title: z.string().max(maxTitleLength).optional(),
  tags: z.array(tagSchema).max(maxTags),
  notes: z.array(runNoteSchema).max(maxNotes),
  /** Milliseconds since the Unix epoch. */
  startedAt: z.number(),
  /** Absent while the run continues, and if its server was killed. */
  endedAt: z.number().optional(),
  /** The run that this run repeats. */
  repeats: repeatedRunSchema.optional(),
  nodeName: z.string().max(253),
  runtime: z.object({
    name: z.string().max(200),
    version: z.string().max(200),
    kind: z.enum(['docker', 'sim', 'cri']),
  }),
  /** The Kubernetes release that the engine followed: `v1.36`. */
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
  /** Present if the run is that of a genuine kubelet. */
  observed: observedKubeletSchema.optional().catch(undefined),
  /** The last breakpoints of the run. Invalid lists are omitted, so that the run remains readable. */
  debug: runDebugSchema.optional().catch(undefined),
});
export type RunInfo = z.infer<typeof runInfoSchema>;
