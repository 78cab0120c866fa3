/** Declares the result schema of each debugger command. */
import { z } from 'zod';
import { breakpointStateSchema, exceptionFilterSchema } from './breakpoints.ts';
import { faultPlanStateSchema, faultStateSchema } from './faults.ts';
import type { DebugCommandName } from './messages.ts';
import {
  changesResultSchema,
  debugOptionsSchema,
  debugStateSchema,
  evaluateResultSchema,
  faultPlanResultSchema,
  pointsResultSchema,
  scopeSchema,
  stackTraceResultSchema,
  threadSchema,
  variablesResultSchema,
  watchResultSchema,
} from './state.ts';

const nothing = z.object({});
const threads = z.object({ threads: z.array(z.string()) });

export const debugResultSchemas = {
  debugState: debugStateSchema,
  points: pointsResultSchema,
  threads: z.object({ threads: z.array(threadSchema) }),
  setBreakpoints: z.object({ breakpoints: z.array(breakpointStateSchema) }),
  checkBreakpoint: breakpointStateSchema.pick({ verified: true, message: true, source: true }),
  setExceptionBreakpoints: z.object({ filters: z.array(exceptionFilterSchema) }),
  pause: threads,
  continue: threads,
  next: nothing,
  stepIn: nothing,
  stepOut: nothing,
  runTo: z.object({ breakpoint: breakpointStateSchema }),
  restartSync: nothing,
  stackTrace: stackTraceResultSchema,
  scopes: z.object({ scopes: z.array(scopeSchema) }),
  variables: variablesResultSchema,
  setVariable: evaluateResultSchema,
  setExpression: evaluateResultSchema,
  evaluate: evaluateResultSchema,
  watch: watchResultSchema,
  changes: changesResultSchema,
  setFaults: z.object({ faults: z.array(faultStateSchema) }),
  intervene: nothing,
  releaseFault: z.object({ released: z.array(z.int()) }),
  setFaultPlan: faultPlanResultSchema,
  enableFaultPlan: z.object({ plan: faultPlanStateSchema }),
  deleteFaultPlan: nothing,
  killContainer: z.object({ id: z.string() }),
  skipBackOff: z.object({ skipped: z.array(z.string()) }),
  setBackOff: nothing,
  setDebugOptions: z.object({ options: debugOptionsSchema }),
  detach: nothing,
} as const satisfies Record<DebugCommandName, z.ZodType>;

/** The result of a debugger command. */
export type DebugResult<Name extends DebugCommandName> = z.infer<(typeof debugResultSchemas)[Name]>;
