/**
 * Decides whether a container has succeeded or failed. Upstream: kuberuntime containerSucceeded, isInitContainerFailed
 * (v1.20).
 */
import type { Status } from '../../runtime.ts';

/**
 * Returns true for a container that isn't running and has exit code 0, even if it never started.
 * Upstream: containerSucceeded (v1.20).
 */
export const containerSucceededV120 = (status: Status | undefined): boolean =>
  status !== undefined && status.state !== 'running' && status.exitCode === 0;

/** Returns true for an init container that failed or has an unknown state. Upstream: isInitContainerFailed (v1.20). */
export const isInitContainerFailedV120 = (status: Status): boolean =>
  (status.state === 'exited' && status.exitCode !== 0) || status.state === 'unknown';
