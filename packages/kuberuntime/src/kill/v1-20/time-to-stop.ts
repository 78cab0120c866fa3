/** Computes how long a container may take to terminate. Upstream: killContainer (v1.20). */
import { minimumGracePeriod, type TimeToStop } from '../grace-period.ts';

/** Replaces the grace period by the override after the preStop hook. The override has no minimum. */
export const timeToStopV120: TimeToStop = async (grace, override, { preStop }) => {
  let left = grace;
  if (left > 0) left -= await preStop(left);
  return override ?? Math.max(left, minimumGracePeriod);
};
