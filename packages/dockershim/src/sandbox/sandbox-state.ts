/**
 * Whether a sandbox is ready. One that is still being started is not: whoever saw it ready without an address would take the network for broken
 * and start another, since a look is not repeated as long as the state stays the same. Nor is one whose start was cut off with its process.
 */
import type { PodSandboxState } from '@podscope/cri';
import type { Shim } from '../shim.ts';

export const sandboxState = (shim: Shim, id: string, isRunning: boolean): PodSandboxState =>
  isRunning && !shim.startingSandboxes.has(id) ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY';
