/** Provides the sync that the page shows, and moves between syncs. */
import type { PodTrack, SyncRecord } from '@podscope/trace';
import { spanOf, useView } from '../address/view-store.ts';
import type { NodeSession } from '../run/node-session.ts';
import { useSession } from '../run/node-session.ts';
import { resolveSelection } from '../selection/resolve-selection.ts';
import { selectionTime } from '../selection/selection-time.ts';
import { latestActing, type SpanOf, syncInView, type WantedSync } from './sync-in-view.ts';

/** Returns which sync the address and the selected item request. */
function wantedSync(pod: PodTrack, at: SpanOf): WantedSync {
  const { sync: number, selected } = useView.getState();
  return { number, span: spanOf(selected), time: selectionTime(resolveSelection(selected, pod, at)) };
}

/**
 * Returns the sync to show; undefined before the first one. Re-renders when the selection changes, not when the pod
 * changes.
 */
export function useSyncInView(pod: PodTrack | undefined): SyncRecord | undefined {
  const { run } = useSession();
  useView(({ sync, selected }) => `${sync} ${selected}`);
  const at: SpanOf = (id) => run.span(id);
  return pod && syncInView(pod, at, wantedSync(pod, at));
}

/** Returns the pod's sync that the page shows; undefined before the first sync. */
export function shownSync({ run }: NodeSession, pod: PodTrack): SyncRecord | undefined {
  const at: SpanOf = (id) => run.span(id);
  return syncInView(pod, at, wantedSync(pod, at));
}

/**
 * Shows the sync with this number. For the latest sync that did something, clears the selection instead, so that the
 * page follows further syncs.
 */
export function showSync(pod: PodTrack, number: number): void {
  const [first, last] = [pod.syncs[0]?.number ?? 1, pod.syncs.at(-1)?.number ?? 0];
  const sync = Math.min(last, Math.max(first, number));
  const isFollowed = latestActing(pod)?.number === sync;
  useView.getState().show(isFollowed ? { sync: undefined, selected: undefined } : { sync });
}

/** Shows the sync that is `by` places after the shown sync. */
export function stepSync(session: NodeSession, pod: PodTrack, by: number): void {
  const shown = shownSync(session, pod);
  if (shown) showSync(pod, shown.number + by);
}
