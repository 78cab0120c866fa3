/**
 * Determines whether a sandbox is ready. A sandbox that is starting isn't ready, because a kubelet that sees a ready
 * sandbox without an IP creates a new one. A sandbox whose start was interrupted isn't ready either.
 */
import type { PodSandboxState } from '@podscope/cri';
import type { DockershimDependencies } from '../dependencies.ts';

export const sandboxState = (dependencies: DockershimDependencies, id: string, isRunning: boolean): PodSandboxState =>
  isRunning && !dependencies.startingSandboxes.has(id) ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY';
