/** Stores the view and writes it into the address. */
import type { PodTrack } from '@podscope/trace';
import { create } from 'zustand';
import { onHistory, readInitialView, writeAddressedView } from './address.ts';
import type { View } from './view-address.ts';

interface ViewStore extends View {
  /** Changes the view. `push` adds an entry to the browser's history. */
  readonly show: (patch: Partial<View>, how?: 'push' | 'replace') => void;
}

const viewOf = ({ pod, uid, tab, sync, selected, at, follow, range, run, present }: ViewStore): View => ({
  pod,
  uid,
  tab,
  sync,
  selected,
  at,
  follow,
  range,
  run,
  present,
});

export const useView = create<ViewStore>()((set, get) => ({
  ...readInitialView(),
  show: (patch, how = 'replace') => {
    set(patch);
    writeAddressedView(viewOf(get()), how);
  },
}));

/** Follows the browser's back and forward buttons. */
export const followHistory = (): (() => void) => onHistory((view) => useView.setState(view));

/** Selects a pod and its latest sync. */
export const showPod = ({ uid, namespace, name }: Pick<PodTrack, 'uid' | 'namespace' | 'name'>): void =>
  useView
    .getState()
    .show(
      { uid, pod: `${namespace}/${name}`, sync: undefined, selected: undefined, follow: true, range: undefined },
      'push',
    );

/** Selects a pod while several are shown. The visible time stays unchanged. */
export const choosePod = ({ uid, namespace, name }: Pick<PodTrack, 'uid' | 'namespace' | 'name'>): void =>
  useView.getState().show({ uid, pod: `${namespace}/${name}`, sync: undefined, selected: undefined }, 'push');

/** Selects an item, such as `span:42`, and the sync that contains it. */
export const select = (selected: string | undefined): void => useView.getState().show({ selected, sync: undefined });

export const selectSpan = (span: number): void => select(`span:${span}`);

/** Returns the span id of a selected item; undefined for other items. */
export const spanOf = (selected: string | undefined): number | undefined => {
  const match = /^span:(\d+)$/.exec(selected ?? '');
  return match ? Number(match[1]) : undefined;
};
