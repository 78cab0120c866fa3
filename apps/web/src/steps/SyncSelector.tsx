/** Goes from pass to pass: ‹ sync 7 of 12 ›. */
import type { PodTrack, SyncRecord } from '@podscope/trace';
import { useView } from '../state/view-store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import styles from './SyncSelector.module.css';

/** Shows the pass of that number. The latest one is followed as others come, so a selection in an earlier one is given up for it. */
export function showSync(pod: PodTrack, number: number): void {
  const last = pod.syncs.at(-1)?.number ?? 0;
  const first = pod.syncs[0]?.number ?? 1;
  const sync = Math.min(last, Math.max(first, number));
  useView.getState().show(sync === last ? { sync: undefined, selected: undefined } : { sync });
}

export function SyncSelector({ pod, sync }: { readonly pod: PodTrack; readonly sync: SyncRecord }) {
  const last = pod.syncs.at(-1)?.number ?? 0;
  const isLatest = sync.number === last;
  return (
    <div className={styles.selector} role="group" aria-label="Sync">
      <IconButton
        icon="chevronLeft"
        label="Previous sync"
        shortcut="["
        isDisabled={sync.number <= (pod.syncs[0]?.number ?? 1)}
        onPress={() => showSync(pod, sync.number - 1)}
      />
      <span className={styles.label}>
        sync <strong>{sync.number}</strong> of {last}
      </span>
      <IconButton icon="chevronRight" label="Next sync" shortcut="]" isDisabled={isLatest} onPress={() => showSync(pod, sync.number + 1)} />
      {!isLatest && (
        <Button kind="quiet" icon="last" onPress={() => showSync(pod, last)}>
          Latest
        </Button>
      )}
    </div>
  );
}
