/** Declares the result schema of each command. The types require a schema for every command. */
import { z } from 'zod';
import { debugResultSchemas } from './debug/results.ts';
import { nodeInventorySchema, nodeUsageSchema } from './inventory-messages.ts';
import { applyResultSchema, type Command, logPageSchema, logResultSchema } from './messages.ts';
import { pastPlaceSchema } from './past-messages.ts';
import {
  annotateRunResultSchema,
  exportRunResultSchema,
  listRunsResultSchema,
  runPageSchema,
  runResultSchema,
} from './run-messages.ts';
import { timeStateSchema } from './time-messages.ts';

/** The schema for commands without a result. */
const done = z.unknown();
const time = z.object({ time: timeStateSchema });

/** Maps each command to the schema of its result. */
export const commandResultSchemas = {
  apply: applyResultSchema,
  validate: applyResultSchema,
  deletePod: done,
  getPodYaml: z.object({ yaml: z.string() }),
  logs: logResultSchema,
  logPage: logPageSchema,
  followLogs: logResultSchema,
  cancel: done,

  getNode: nodeInventorySchema,
  nodeUsage: nodeUsageSchema,

  ...debugResultSchemas,

  stepBack: pastPlaceSchema,
  reverseContinue: pastPlaceSchema,

  listRuns: listRunsResultSchema,
  renameRun: runResultSchema,
  tagRun: runResultSchema,
  annotateRun: annotateRunResultSchema,
  deleteRun: done,
  openRun: runPageSchema,
  exportRun: exportRunResultSchema,

  setTime: time.extend({ lastSeq: z.int() }),
  stepTime: time.extend({ events: z.int(), lastSeq: z.int() }),
  rerun: z.object({ run: z.string() }),
} as const satisfies Record<Command['command'], z.ZodType>;

export type CommandResultOf<Name extends Command['command']> = z.infer<(typeof commandResultSchemas)[Name]>;
