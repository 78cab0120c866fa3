/** What of a debugger outlives its node: breakpoints with their ids, filters, fault plans, options. Faults set by hand do not. */
import { breakpointSpecSchema, debugOptionsSchema, exceptionFilterSchema } from '@podscope/protocol';
import { z } from 'zod';

/** What is kept. A later version may add members; unknown ones are left out. */
export const keptDebugStateSchema = z.object({
  version: z.literal(1),
  breakpoints: z.array(z.object({ id: z.int().positive(), group: z.string(), spec: breakpointSpecSchema })),
  filters: z.array(exceptionFilterSchema),
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
