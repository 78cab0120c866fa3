/** Renders the control that moves between syncs: ‹ sync 7 of 12 ›. */
import type { PodTrack, SyncRecord } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { latestActing } from '../../node/syncs/sync-in-view.ts';
import { showSync } from '../../node/syncs/use-sync-in-view.ts';
import { stepsMessages } from './messages.en.ts';
import styles from './SyncSelector.module.css';

export function SyncSelector({ pod, sync }: { readonly pod: PodTrack; readonly sync: SyncRecord }) {
  const t = useT();
  const last = pod.syncs.at(-1)?.number ?? 0;
  const followed = latestActing(pod)?.number ?? last;
  return (
    <div className={styles.selector} role="group" aria-label={t(stepsMessages.sync)}>
      <IconButton
        icon="chevronLeft"
        label={t(stepsMessages.previousSync)}
        shortcut="["
        isDisabled={sync.number <= (pod.syncs[0]?.number ?? 1)}
        onPress={() => showSync(pod, sync.number - 1)}
      />
      <span
        className={styles.label}
        title={
          sync.number === followed && last > followed
            ? t(stepsMessages.laterSyncs, { count: last - followed })
            : undefined
        }
      >
        {t(stepsMessages.syncOf, { number: sync.number, last })}
      </span>
      <IconButton
        icon="chevronRight"
        label={t(stepsMessages.nextSync)}
        shortcut="]"
        isDisabled={sync.number >= last}
        onPress={() => showSync(pod, sync.number + 1)}
      />
      {sync.number !== followed && (
        <Button kind="quiet" icon="last" onPress={() => showSync(pod, followed)}>
          {t(stepsMessages.latest)}
        </Button>
      )}
    </div>
  );
}
