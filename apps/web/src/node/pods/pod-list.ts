/** Stores how the pod list is filtered and ordered, for the list and for the commands that move between pods. */
import type { PodTrack } from '@podscope/trace';
import { create } from 'zustand';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { listPods, type PodListOptions } from './list-pods.ts';

interface PodList {
  readonly filter: string;
  /** Undefined shows all namespaces. */
  readonly namespace: string | undefined;
  /** UIDs of the deleted pods that the user cleared from the list. The run keeps their history. */
  readonly cleared: ReadonlySet<string>;
}

export const usePodList = create<PodList>()(() => ({
  filter: '',
  namespace: undefined,
  cleared: new Set(),
}));

/** Returns the current options of the list. */
export function usePodListOptions(): PodListOptions {
  const { filter, namespace, cleared } = usePodList();
  const order = usePreferences(({ podOrder }) => podOrder);
  const hidesDeleted = usePreferences((preferences) => preferences.hidesDeleted);
  return { filter, namespace, order, hidesDeleted, cleared };
}

/** Returns the pods as the list shows them. */
export function listedPods(pods: readonly PodTrack[]): readonly PodTrack[] {
  const { podOrder: order, hidesDeleted } = usePreferences.getState();
  return listPods(pods, { ...usePodList.getState(), order, hidesDeleted });
}
