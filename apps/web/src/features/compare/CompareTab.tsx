/**
 * Compares this run with another run, or two syncs of this run. Steps are matched by point, not by time. Default
 * export: loaded when first opened.
 */
import { compareRuns } from '@podscope/trace/compare';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useExactNow } from '../../node/run/use-now.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import styles from './CompareTab.module.css';
import { sameStretch } from './comparand.ts';
import { Comparison } from './differences/Comparison.tsx';
import { SyncComparison } from './differences/SyncComparison.tsx';
import { compareMessages } from './messages.en.ts';
import { RunChoices } from './RunChoices.tsx';
import { SideBySide } from './side-by-side/SideBySide.tsx';
import { useOtherPod } from './use-other-pod.ts';
import { useComparand } from './use-other-runs.ts';

export default function CompareTab() {
  const t = useT();
  const { run, connection } = useSession();
  const versioned = useSelectedPod();
  const { pod, version } = versioned;
  const { comparand, isBusy, load, other, playOther, playUntil } = useComparand();
  const [isSyncs, setSyncs] = useState(false);
  const name = pod && `${pod.namespace}/${pod.name}`;
  const now = useExactNow(comparand !== undefined);
  const follow = useEffectEvent(playUntil);
  useEffect(() => {
    // Start in a later turn, because playing sets state at once.
    queueMicrotask(() => follow(now));
  }, [now]);
  const { pod: second } = useOtherPod(comparand, pod, now - (pod?.firstTime ?? 0));
  const comparison = useMemo(() => {
    if (!comparand || name === undefined || version < 0 || isSyncs) return undefined;
    const { mine, theirs } = sameStretch(run.history.events, connection.node?.startedAt ?? 0, comparand);
    return compareRuns(mine, theirs, { pod: name });
  }, [comparand, name, version, run, connection, isSyncs]);
  if (pod && isSyncs)
    return <SyncComparison key={pod.uid} pod={pod} version={version} onOtherRun={() => setSyncs(false)} />;
  const choices = (
    <RunChoices
      isBusy={isBusy}
      load={load}
      other={other}
      onPlayOther={playOther}
      onSyncs={pod && pod.syncs.length > 1 ? () => setSyncs(true) : undefined}
    />
  );
  if (!pod || !comparison || !comparand) {
    return (
      <EmptyState icon="compare" busy={isBusy} title={t(isBusy ? compareMessages.reading : compareMessages.title)}>
        <p>{t(compareMessages.note)}</p>
        <div className={styles.choices}>{choices}</div>
      </EmptyState>
    );
  }
  return (
    <Comparison
      comparison={comparison}
      title={t(compareMessages.runAnd, { name: comparand.name })}
      before={t(compareMessages.thisRun)}
      after={comparand.name}
      first={pod}
      second={second}
      sideBySide={<SideBySide pod={versioned} comparand={comparand} />}
    >
      {choices}
    </Comparison>
  );
}
