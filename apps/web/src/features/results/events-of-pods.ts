/** Merges the Kubernetes events of several pods into one list, ordered by their numbers. */
import { type KubernetesEventRecord, MergedLists, type PodTrack } from '@podscope/trace';

/** An event with its pod, which is undefined while only one pod's events are listed. */
export type EventRow = KubernetesEventRecord & { readonly pod?: PodTrack };

export const eventsOfPods = () =>
  new MergedLists<PodTrack, KubernetesEventRecord, EventRow>({
    keyOf: ({ uid }) => uid,
    membersOf: ({ events }) => events,
    rowOf: (event, pod) => ({ ...event, pod }),
    placeOf: ({ seq }) => seq,
  });
