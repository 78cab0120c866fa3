/** Exports the debugger: breakpoints, inspection and interventions. */
export { type DebugCommandHandlers, debugCommands } from './commands.ts';
export { Debugger, type DebuggerOptions } from './debugger.ts';
export { DebuggerError } from './errors.ts';
export { CutStreamError } from './faults/failures.ts';
export { parseFaultPlan } from './faults/fault-plans.ts';
export type { DebugHost } from './host.ts';
export type { DebugPersistence, KeptDebugState } from './persistence.ts';
export type { PointCatalog } from './point-catalog.ts';
export type { PointSources } from './point-sources.ts';
