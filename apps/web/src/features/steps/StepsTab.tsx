/** Shows the numbered steps of a sync. */
import type { SpanRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { formatClock, formatDuration } from '../../base/ui/text/format.ts';
import { selectSpan, spanOf, useView } from '../../node/address/view-store.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { syncInView, syncView, verdictOf } from '../../node/syncs/steps-model.ts';
import { stepsMessages, syncOutcomeMessages } from './messages.en.ts';
import { StepItem } from './StepItem.tsx';
import styles from './StepsTab.module.css';
import { SyncResultLine } from './SyncResultLine.tsx';
import { SyncSelector } from './SyncSelector.tsx';

const tones = {
  running: 'progressing',
  failed: 'error',
  postponed: 'waiting',
  done: 'done',
} as const;

export function StepsTab() {
  const t = useT();
  const { run } = useSession();
  const node = useNodeInfo();
  const versioned = useSelectedPod();
  const { pod } = versioned;
  const number = useView(({ sync }) => sync);
  const selected = useView((view) => spanOf(view.selected));
  const now = useNow();
  const view = useMemo(() => {
    const { pod: track } = versioned;
    if (!track) return undefined;
    const spanAt = (id: number | undefined): SpanRecord | undefined => run.span(id);
    const sync = syncInView(track, spanAt, number, selected);
    return sync && syncView(node?.steps ?? [], sync, spanAt, track.stoppedAt);
  }, [versioned, number, selected, node, run]);
  if (!pod) return null;
  if (!view) {
    return (
      <EmptyState icon="clock" title={t(stepsMessages.notRun)}>
        {t(stepsMessages.notRunNote)}
      </EmptyState>
    );
  }
  const { sync, span, steps, otherResults } = view;
  const verdict = verdictOf(sync.results);
  const outcome =
    sync.end === undefined ? 'running' : span?.outcome === 'error' && verdict === 'done' ? 'failed' : verdict;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <SyncSelector pod={pod} sync={sync} />
        <Chip tone={tones[outcome]}>{t(syncOutcomeMessages[outcome])}</Chip>
        <span className={styles.time}>
          {formatClock(sync.start)} · {formatDuration((sync.end ?? now) - sync.start)}
        </span>
        <Button kind="quiet" onPress={() => selectSpan(sync.span)}>
          {t(stepsMessages.inspect)}
        </Button>
      </header>
      <ol className={styles.steps} aria-label={t(stepsMessages.stepsOf, { number: sync.number })}>
        {steps.map((step) => (
          <StepItem key={step.definition.id} step={step} now={now} />
        ))}
      </ol>
      {otherResults.length > 0 && (
        <section className={styles.others} aria-label={t(stepsMessages.otherResults)}>
          {otherResults.map((result) => (
            <SyncResultLine key={result.seq} result={result} />
          ))}
        </section>
      )}
    </div>
  );
}
