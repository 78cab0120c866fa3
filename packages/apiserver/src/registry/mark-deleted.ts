/** Marks objects for deletion. */
import type { KubernetesObject } from '@podscope/k8s';
import { addMilliseconds, type Clock, formatTime, parseTime } from '@podscope/trace';

/**
 * Sets the deletion fields. For an object that is already marked, it can only shorten the grace period. Upstream:
 * rest.BeforeDelete.
 * @param grace seconds
 */
export function markDeleted<T extends KubernetesObject>(object: T, grace: number, clock: Clock): T {
  const { deletionTimestamp, deletionGracePeriodSeconds: currentGrace, generation } = object.metadata;
  if (deletionTimestamp !== undefined) {
    if (currentGrace === undefined || currentGrace <= grace) return object;
    const end = addMilliseconds(parseTime(deletionTimestamp), (grace - currentGrace) * 1000);
    return {
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: formatTime(end), deletionGracePeriodSeconds: grace },
    };
  }
  const end = addMilliseconds(clock.now(), grace * 1000);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      deletionTimestamp: formatTime(end),
      deletionGracePeriodSeconds: grace,
      ...(generation ? { generation: generation + 1 } : {}),
    },
  };
}
