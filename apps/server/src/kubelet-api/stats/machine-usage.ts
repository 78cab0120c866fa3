/** What the machine as a whole uses. */
import { cpus, freemem, totalmem } from 'node:os';

/** Reads it; undefined when there is no machine behind the runtime. */
export type MachineUsage = () => { readonly cpuNanoSeconds: number; readonly workingSetBytes: number } | undefined;

/** This machine's, since it started. */
export const thisMachine: MachineUsage = () => {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  // What is free counts what could be freed.
  return { cpuNanoSeconds: busyMs * 1e6, workingSetBytes: totalmem() - freemem() };
};

/** A simulated node has no machine. */
export const noMachine: MachineUsage = () => undefined;
