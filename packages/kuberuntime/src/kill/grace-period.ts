/**
 * Computes how long a container may take to terminate. Upstream: kuberuntime_container.go setTerminationGracePeriod,
 * killContainer (v1.36 and v1.20).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { KillReason } from '../compute-pod-actions/pod-actions.ts';

/** The minimum grace period in seconds, so that the container has time to exit before it is killed. */
export const minimumGracePeriod = 2;

/** Returns the grace period in seconds, which depends only on the pod. Upstream: killContainer (v1.20). */
export const podGracePeriod = ({ metadata, spec }: Pod): number =>
  metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? minimumGracePeriod;

/**
 * Returns the grace period in seconds. A failed probe may set its own, except while the pod is being deleted. Upstream:
 * setTerminationGracePeriod (v1.36).
 */
export function gracePeriodV136(pod: Pod, container: Container, reason: KillReason): number {
  const { metadata, spec } = pod;
  if (metadata.deletionGracePeriodSeconds !== undefined || spec.terminationGracePeriodSeconds === undefined)
    return podGracePeriod(pod);
  const probe =
    reason === 'StartupProbe'
      ? container.startupProbe
      : reason === 'LivenessProbe'
        ? container.livenessProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
}

/** The operations before StopContainer is called. Each returns its duration in whole seconds. */
interface BeforeStop {
  readonly preStop: (grace: number) => Promise<number>;
  readonly waitForTurn: (grace: number) => Promise<number>;
}

/** Runs the operations and returns the seconds that remain for StopContainer. */
export type TimeToStop = (grace: number, override: number | undefined, before: BeforeStop) => Promise<number>;

/**
 * Replaces the grace period by the override before anything else. With an override of 0, the preStop hook and the
 * termination order are skipped, and StopContainer gets the minimum.
 */
export const timeToStopV136: TimeToStop = async (grace, override, { preStop, waitForTurn }) => {
  let left = override ?? grace;
  if (left > 0) left -= await preStop(left);
  if (left > 0) left -= await waitForTurn(left);
  return Math.max(left, minimumGracePeriod);
};
