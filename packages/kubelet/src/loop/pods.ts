/** Formats and orders lists of pods for the handlers. */
import type { Pod } from '@podscope/k8s';

/** Returns `namespace/name` of each pod. */
export const podNames = (pods: readonly Pod[]): readonly string[] =>
  pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);

/** Static pods have no creation time, so they come first. */
const createdAt = ({ metadata }: Pod): number =>
  metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : 0;

/** Returns the pods in the order of their admission: the oldest first. Upstream: PodsByCreationTime. */
export const oldestFirst = (pods: readonly Pod[]): readonly Pod[] =>
  pods.toSorted((a, b) => createdAt(a) - createdAt(b));
