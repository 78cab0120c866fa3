/** Computes the time that a container has for its termination. Upstream: killContainer (v1.20). */
import { minimumGracePeriod, type TimeToStop } from '../grace-period.ts';

/** Applies the override last, without a minimum. */
export const timeToStopV120: TimeToStop = async (grace, override, { preStop }) => {
  let left = grace;
  if (left > 0) left -= await preStop(left);
  return override ?? Math.max(left, minimumGracePeriod);
};
