/** Marks objects for deletion: sets their deletion timestamp and grace period. */
import type { KubernetesObject } from '@podscope/k8s';
import { addMilliseconds, type Clock, formatTime, parseTime } from '@podscope/trace';

/**
 * Sets the deletion timestamp and grace period. If the object is already marked, the grace period can only become
 * shorter. Upstream: rest.BeforeDelete.
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
