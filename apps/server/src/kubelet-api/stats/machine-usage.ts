/** Measures the CPU and memory usage of the whole machine. */
import { cpus, freemem, totalmem } from 'node:os';

/** Returns the CPU time since boot and the memory in use; undefined for a simulated runtime, which has no machine. */
export type MachineUsage = () => { readonly cpuNanoSeconds: number; readonly workingSetBytes: number } | undefined;

/** Returns the usage of this machine since boot. */
export const thisMachine: MachineUsage = () => {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  // freemem() includes memory that the kernel could reclaim, so such memory doesn't count as used.
  return { cpuNanoSeconds: busyMs * 1e6, workingSetBytes: totalmem() - freemem() };
};

/** Returns undefined, because a simulated node has no machine. */
export const noMachine: MachineUsage = () => undefined;
