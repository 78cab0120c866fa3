/** Filters and orders the pod list. */
import type { PodTrack } from '@podscope/trace';
import { podRowText } from './pod-row-text.ts';

/**
 * Returns pods by namespace and name. Deleted pods come last, newest first, because their history stays available.
 */
export function listPods(pods: readonly PodTrack[], filter: string): readonly PodTrack[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (pod: PodTrack): boolean => {
    const text = `${pod.namespace}/${pod.name} ${podRowText(pod, pod.lastTime).description.status}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return pods
    .filter((pod) => words.length === 0 || matches(pod))
    .toSorted((a, b) => {
      if ((a.deletedAt === undefined) !== (b.deletedAt === undefined)) return a.deletedAt === undefined ? -1 : 1;
      if (a.deletedAt !== undefined && b.deletedAt !== undefined) return b.deletedAt - a.deletedAt;
      return a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name, 'en', { numeric: true });
    });
}
