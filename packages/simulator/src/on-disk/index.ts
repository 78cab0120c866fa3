/** For Node: what the simulator stands on where a kubelet keeps its pods' files on this machine's disk. */
export { AppendedLogFiles } from './appended-log-files.ts';
export { MachineFiles } from './machine-files.ts';
