/** Moves between syncs: ‹ sync 7 of 12 ›. */
import type { PodTrack, SyncRecord } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { useView } from '../../node/address/view-store.ts';
import { stepsMessages } from './messages.en.ts';
import styles from './SyncSelector.module.css';

/** Shows the sync with this number. The latest sync is followed, so it clears a selection in an earlier one. */
export function showSync(pod: PodTrack, number: number): void {
  const last = pod.syncs.at(-1)?.number ?? 0;
  const first = pod.syncs[0]?.number ?? 1;
  const sync = Math.min(last, Math.max(first, number));
  useView.getState().show(sync === last ? { sync: undefined, selected: undefined } : { sync });
}

export function SyncSelector({ pod, sync }: { readonly pod: PodTrack; readonly sync: SyncRecord }) {
  const t = useT();
  const last = pod.syncs.at(-1)?.number ?? 0;
  const isLatest = sync.number === last;
  return (
    <div className={styles.selector} role="group" aria-label={t(stepsMessages.sync)}>
      <IconButton
        icon="chevronLeft"
        label={t(stepsMessages.previousSync)}
        shortcut="["
        isDisabled={sync.number <= (pod.syncs[0]?.number ?? 1)}
        onPress={() => showSync(pod, sync.number - 1)}
      />
      <span className={styles.label}>{t(stepsMessages.syncOf, { number: sync.number, last })}</span>
      <IconButton
        icon="chevronRight"
        label={t(stepsMessages.nextSync)}
        shortcut="]"
        isDisabled={isLatest}
        onPress={() => showSync(pod, sync.number + 1)}
      />
      {!isLatest && (
        <Button kind="quiet" icon="last" onPress={() => showSync(pod, last)}>
          {t(stepsMessages.latest)}
        </Button>
      )}
    </div>
  );
}
