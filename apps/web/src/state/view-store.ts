/** Keeps the page's view and its address the same. */
import type { PodTrack } from '@podscope/trace';
import { create } from 'zustand';
import { sourceWords, wantsOtherBeside } from '../alone/source-address.ts';
import { readView, type View, writeView } from './view-address.ts';

interface ViewStore extends View {
  /** Changes the view. `push` makes the browser's back button return from it. */
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

/** Browsers refuse too frequent changes of the address: those of a pan are gathered. */
const addressDelay = 250;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

function writeAddress(view: View, how: 'push' | 'replace'): void {
  const query = [sourceWords(location.search), writeView(view).slice(1)].filter((part) => part !== '').join('&');
  const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
  clearTimeout(addressTimer);
  if (how === 'push') {
    history.pushState(null, '', address);
    return;
  }
  addressTimer = setTimeout(() => history.replaceState(null, '', address), addressDelay);
}

/** What the address names at first. One that wants another release beside names with it where that is seen. */
function firstView(): View {
  const view = readView(location.search);
  return wantsOtherBeside(location.search) && !new URLSearchParams(location.search).has('tab') ? { ...view, tab: 'compare' } : view;
}

export const useView = create<ViewStore>()((set, get) => ({
  ...firstView(),
  show: (patch, how = 'replace') => {
    set(patch);
    writeAddress(viewOf(get()), how);
  },
}));

function restore(): void {
  clearTimeout(addressTimer);
  useView.setState(readView(location.search));
}

/** Follows the browser's back and forward buttons. */
export function followHistory(): () => void {
  addEventListener('popstate', restore);
  return () => removeEventListener('popstate', restore);
}

/** Selects a pod, and with it its latest sync. */
export const showPod = ({ uid, namespace, name }: Pick<PodTrack, 'uid' | 'namespace' | 'name'>): void =>
  useView.getState().show({ uid, pod: `${namespace}/${name}`, sync: undefined, selected: undefined, follow: true, range: undefined }, 'push');

/** Selects an item: `span:42`. The sync in view is then the one it is part of. */
export const select = (selected: string | undefined): void => useView.getState().show({ selected, sync: undefined });

export const selectSpan = (span: number): void => select(`span:${span}`);

/** The span of a selected item, when it is one. */
export const spanOf = (selected: string | undefined): number | undefined => {
  const match = /^span:(\d+)$/.exec(selected ?? '');
  return match ? Number(match[1]) : undefined;
};
