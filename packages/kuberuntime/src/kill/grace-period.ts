/** How long a container has to end. Upstream: kuberuntime_container.go setTerminationGracePeriod, killContainer (v1.36 and v1.20). */
import type { Container, Pod } from '@podscope/k8s';
import type { KillReason } from '../compute-pod-actions/pod-actions.ts';

/** Less would only be a kill. In seconds. */
const minimumGracePeriod = 2;

/** Seconds by the pod alone. Upstream: killContainer (v1.20). */
export const gracePeriodV120 = ({ metadata, spec }: Pod): number =>
  metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? minimumGracePeriod;

/** A failed probe may have a grace period of its own, unless the pod is being deleted. Upstream: setTerminationGracePeriod (v1.36). */
export function gracePeriodV136(pod: Pod, container: Container, reason: KillReason): number {
  const { metadata, spec } = pod;
  if (metadata.deletionGracePeriodSeconds !== undefined || spec.terminationGracePeriodSeconds === undefined) return gracePeriodV120(pod);
  const probe = reason === 'StartupProbe' ? container.startupProbe : reason === 'LivenessProbe' ? container.livenessProbe : undefined;
  return probe?.terminationGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
}

/** What takes time before a container is stopped; each gives the whole seconds it took. */
interface BeforeStop {
  readonly preStop: (grace: number) => Promise<number>;
  readonly waitForTurn: (grace: number) => Promise<number>;
}

/** Seconds that are left for StopContainer. */
export type TimeToStop = (grace: number, override: number | undefined, before: BeforeStop) => Promise<number>;

/** The override comes first: 0 skips hook and order, and is then lifted to the minimum. */
export const timeToStopV136: TimeToStop = async (grace, override, { preStop, waitForTurn }) => {
  let left = override ?? grace;
  if (left > 0) left -= await preStop(left);
  if (left > 0) left -= await waitForTurn(left);
  return Math.max(left, minimumGracePeriod);
};

/** The override comes last, and counts as it is. */
export const timeToStopV120: TimeToStop = async (grace, override, { preStop }) => {
  let left = grace;
  if (left > 0) left -= await preStop(left);
  return override ?? Math.max(left, minimumGracePeriod);
};
