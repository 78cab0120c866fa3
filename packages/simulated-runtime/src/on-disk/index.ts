/**
 * Stores pod files and logs on this machine's disk, for `cri --runtime sim` with a kubelet on the same machine. Needs
 * Node.js.
 */
export { AppendedLogFiles } from './appended-log-files.ts';
export { MachineFiles } from './machine-files.ts';
