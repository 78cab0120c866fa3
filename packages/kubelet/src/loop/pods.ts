/** Lists of pods as the handlers tell and order them. */
import type { Pod } from '@podscope/k8s';

/** `namespace/name` of each. */
export const podNames = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);

/** Static pods have no creation time and come first. */
const createdAt = ({ metadata }: Pod): number => (metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : 0);

/** In the order in which they are admitted. Upstream: PodsByCreationTime. */
export const oldestFirst = (pods: readonly Pod[]): readonly Pod[] => pods.toSorted((a, b) => createdAt(a) - createdAt(b));
