/**
 * Defines the debugger state that outlives its node: breakpoints and faults with their ids, filters, plans, options.
 */
import { breakpointSpecSchema, debugOptionsSchema, exceptionFilterSchema, faultSpecSchema } from '@podscope/protocol';
import { z } from 'zod';

/** The saved state. Later versions may add members; unknown ones are dropped. */
export const keptDebugStateSchema = z.object({
  version: z.literal(1),
  breakpoints: z.array(z.object({ id: z.int().positive(), group: z.string(), spec: breakpointSpecSchema })),
  filters: z.array(exceptionFilterSchema),
  /**
   * Faults that were set one by one; plans set their own. `seen` counts the matches, of which the first `skip` are
   * ignored.
   */
  faults: z
    .array(
      z.object({
        id: z.int().positive(),
        group: z.string(),
        spec: faultSpecSchema,
        seen: z.int().nonnegative(),
        applied: z.int().nonnegative(),
      }),
    )
    .default([]),
  plans: z.array(z.object({ yaml: z.string(), enabled: z.boolean() })),
  options: debugOptionsSchema.partial(),
});
export type KeptDebugState = z.infer<typeof keptDebugStateSchema>;

/** Where the state is saved. */
export interface DebugPersistence {
  /** Returns the last saved state, or undefined. */
  load(): Promise<unknown>;
  /** Calls may overlap. The state of the last call is the one that is kept. */
  save(state: KeptDebugState): Promise<void>;
}
