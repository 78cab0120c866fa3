/** Formats and orders lists of pods for the handlers. */
import type { Pod } from '@podscope/k8s';

/** Returns `namespace/name` of each pod. */
export const podNames = (pods: readonly Pod[]): readonly string[] =>
  pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);

/** Returns the creation time, or 0 for a static pod, which therefore comes first. */
const createdAt = ({ metadata }: Pod): number =>
  metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : 0;

/** Returns the pods in the order in which they are admitted: the oldest first. Upstream: PodsByCreationTime. */
export const oldestFirst = (pods: readonly Pod[]): readonly Pod[] =>
  pods.toSorted((a, b) => createdAt(a) - createdAt(b));
