/** The numbered steps of one pass of SyncPod, with what each did. */
import type { SpanRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useNow } from '../run/use-now.ts';
import { useNodeInfo } from '../run/use-run.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { selectSpan, spanOf, useView } from '../state/view-store.ts';
import { Button } from '../ui/Button.tsx';
import { Chip } from '../ui/Chip.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock, formatDuration } from '../ui/format.ts';
import { stepsMessages, syncOutcomeMessages } from './messages.en.ts';
import { StepItem } from './StepItem.tsx';
import styles from './StepsTab.module.css';
import { SyncResultLine } from './SyncResultLine.tsx';
import { SyncSelector } from './SyncSelector.tsx';
import { syncInView, syncView, verdictOf } from './steps-model.ts';

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
  const outcome = sync.end === undefined ? 'running' : span?.outcome === 'error' && verdict === 'done' ? 'failed' : verdict;
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
