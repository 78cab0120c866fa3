/** What of a debugger outlives its node: breakpoints and faults with their ids, filters, fault plans, options. */
import { breakpointSpecSchema, debugOptionsSchema, exceptionFilterSchema, faultSpecSchema } from '@podscope/protocol';
import { z } from 'zod';

/** What is kept. A later version may add members; unknown ones are left out. */
export const keptDebugStateSchema = z.object({
  version: z.literal(1),
  breakpoints: z.array(z.object({ id: z.int().positive(), group: z.string(), spec: breakpointSpecSchema })),
  filters: z.array(exceptionFilterSchema),
  /** Those that were set one by one; plans bring their own. `seen`: matching passes so far, of which `skip` leaves the first alone. */
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

/** Where it is kept. */
export interface DebugPersistence {
  /** What was last saved; undefined when there is nothing. */
  load(): Promise<unknown>;
  /** Calls may come before the last one has ended; the last state counts. */
  save(state: KeptDebugState): Promise<void>;
}
