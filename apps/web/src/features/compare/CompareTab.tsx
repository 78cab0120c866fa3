/**
 * Compares this run with another one, or two of its syncs, matched by action instead of time. Default export: loaded
 * when first opened.
 */
import { RunFold } from '@podscope/trace';
import { compareRuns } from '@podscope/trace/compare';
import { useMemo, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import styles from './CompareTab.module.css';
import { Comparison } from './Comparison.tsx';
import { sameStretch } from './comparand.ts';
import { compareMessages } from './messages.en.ts';
import { RunChoices } from './RunChoices.tsx';
import { SyncComparison } from './SyncComparison.tsx';
import { useComparand } from './use-other-runs.ts';

export default function CompareTab() {
  const t = useT();
  const { run, connection } = useSession();
  const { pod, version } = useSelectedPod();
  const { comparand, isBusy, load, other, playOther } = useComparand();
  const [isSyncs, setSyncs] = useState(false);
  const name = pod && `${pod.namespace}/${pod.name}`;
  const second = useMemo(() => {
    if (!comparand) return undefined;
    const fold = new RunFold();
    fold.applyAll(comparand.events);
    return fold.pods().findLast((each) => `${each.namespace}/${each.name}` === name);
  }, [comparand, name]);
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
      isSyncs={false}
    >
      {choices}
    </Comparison>
  );
}
