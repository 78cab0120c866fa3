/**
 * Defines the debugger state that outlives its node: breakpoints and faults with their ids, filters, plans, options.
 */
import { breakpointSpecSchema, debugOptionsSchema, exceptionFilterSchema, faultSpecSchema } from '@podscope/protocol';
import { z } from 'zod';

/** The saved state. Later versions may add members; a version drops the members that it doesn't know. */
export const keptDebugStateSchema = z.object({
  version: z.literal(1),
  breakpoints: z.array(z.object({ id: z.int().positive(), group: z.string(), spec: breakpointSpecSchema })),
  filters: z.array(exceptionFilterSchema),
  /**
   * The faults that were set individually (faults of plans aren't included). `seen` is the number of matches so far;
   * the first `skip` matches don't apply the fault.
   */
  faults: z
    .array(
      z.object({
        id: z.int().positive(),
        group: z.string(),
        spec: faultSpecSchema,
        seen: z.int().nonnegative(),
        applied: z.int().nonnegative(),
        /** The time from which the fault no longer applies. */
        until: z.number().optional(),
      }),
    )
    .default([]),
  /** `since` is the time at which the plan was set or enabled: the expiry of its faults counts from then. */
  plans: z.array(z.object({ yaml: z.string(), enabled: z.boolean(), since: z.number().optional() })),
  options: debugOptionsSchema.partial(),
});
export type KeptDebugState = z.infer<typeof keptDebugStateSchema>;

/** Where the state is saved. */
export interface DebugPersistence {
  /** Returns the last saved state, or undefined. */
  load(): Promise<unknown>;
  /** Saves the state. Calls may overlap: the state of the last call must win. */
  save(state: KeptDebugState): Promise<void>;
}
