/**
 * Determines whether a sandbox is ready. A starting sandbox is not ready: a kubelet that saw it ready without an IP
 * would recreate it. Neither is one whose start was interrupted.
 */
import type { PodSandboxState } from '@podscope/cri';
import type { DockershimDependencies } from '../dependencies.ts';

export const sandboxState = (dependencies: DockershimDependencies, id: string, isRunning: boolean): PodSandboxState =>
  isRunning && !dependencies.startingSandboxes.has(id) ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY';
