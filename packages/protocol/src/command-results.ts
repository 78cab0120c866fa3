/** What the answer to each command looks like: one schema a command. A command without one does not compile. */
import { z } from 'zod';
import { breakpointStateSchema, exceptionFilterSchema } from './debug-breakpoints.ts';
import { faultPlanStateSchema, faultStateSchema } from './debug-faults.ts';
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
} from './debug-state.ts';
import { applyResultSchema, type Command, logResultSchema } from './messages.ts';
import { annotateRunResultSchema, exportRunResultSchema, listRunsResultSchema, runPageSchema, runResultSchema } from './run-messages.ts';
import { timeStateSchema } from './time-messages.ts';

/** Nothing but that it was done. */
const done = z.unknown();
const threads = z.object({ threads: z.array(z.string()) });
const time = z.object({ time: timeStateSchema });

/** Command to the schema of its result. */
export const commandResultSchemas = {
  apply: applyResultSchema,
  validate: applyResultSchema,
  deletePod: done,
  getPodYaml: z.object({ yaml: z.string() }),
  logs: logResultSchema,
  followLogs: logResultSchema,
  cancel: done,

  debugState: debugStateSchema,
  points: pointsResultSchema,
  threads: z.object({ threads: z.array(threadSchema) }),
  setBreakpoints: z.object({ breakpoints: z.array(breakpointStateSchema) }),
  setExceptionBreakpoints: z.object({ filters: z.array(exceptionFilterSchema) }),
  pause: threads,
  continue: threads,
  next: done,
  stepIn: done,
  stepOut: done,
  runTo: z.object({ breakpoint: breakpointStateSchema }),
  restartSync: done,
  stackTrace: stackTraceResultSchema,
  scopes: z.object({ scopes: z.array(scopeSchema) }),
  variables: variablesResultSchema,
  setVariable: evaluateResultSchema,
  evaluate: evaluateResultSchema,
  watch: watchResultSchema,
  changes: changesResultSchema,
  setFaults: z.object({ faults: z.array(faultStateSchema) }),
  intervene: z.object({ intervention: z.int() }),
  releaseFault: z.object({ released: z.array(z.int()) }),
  setFaultPlan: faultPlanResultSchema,
  enableFaultPlan: z.object({ plan: faultPlanStateSchema }),
  deleteFaultPlan: done,
  killContainer: z.object({ id: z.string() }),
  skipBackOff: z.object({ skipped: z.array(z.string()) }),
  setBackOff: done,
  setDebugOptions: z.object({ options: debugOptionsSchema }),
  detach: done,

  listRuns: listRunsResultSchema,
  renameRun: runResultSchema,
  tagRun: runResultSchema,
  annotateRun: annotateRunResultSchema,
  deleteRun: done,
  openRun: runPageSchema,
  exportRun: exportRunResultSchema,

  setTime: time,
  stepTime: time.extend({ events: z.int() }),
  rerun: done,
} as const satisfies Record<Command['command'], z.ZodType>;

export type CommandResultOf<Name extends Command['command']> = z.infer<(typeof commandResultSchemas)[Name]>;
