/** Reads the deletion grace period of a pod. */
import type { Pod } from '@podscope/k8s';
import type { PodTrack } from '@podscope/trace';

/** The cast is safe, because the API server has validated the object. */
const specOf = ({ object = {} }: PodTrack): Partial<Pod>['spec'] => (object as Partial<Pod>).spec;

/** Returns `spec.terminationGracePeriodSeconds`, in seconds; 30, the API's default, if the field is missing. */
export const specGracePeriod = (pod: PodTrack): number => specOf(pod)?.terminationGracePeriodSeconds ?? 30;
