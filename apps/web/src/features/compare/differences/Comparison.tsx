/** Compares the steps, specs and statuses of two pods. */
import type { PodTrack } from '@podscope/trace';
import type { RunComparison } from '@podscope/trace/compare';
import { type ReactNode, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Toggle } from '../../../base/ui/fields/Button.tsx';
import { Choice } from '../../../base/ui/fields/Choice.tsx';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import styles from '../CompareTab.module.css';
import { compareMessages } from '../messages.en.ts';
import { FieldDifferences } from './FieldDifferences.tsx';
import { StepDifferences } from './StepDifferences.tsx';

type ComparedPod = Pick<PodTrack, 'object' | 'status'>;

interface ComparisonProps {
  readonly comparison: RunComparison;
  /** Beginning of the summary, such as `This run and kubelet v1.20: `. */
  readonly title: string;
  /** Titles of the two columns. */
  readonly before: string;
  readonly after: string;
  readonly first: ComparedPod | undefined;
  readonly second: ComparedPod | undefined;
  /** The view that shows both runs at the same instant; undefined when two syncs are compared. */
  readonly sideBySide?: ReactNode;
  /** Controls that choose another comparison. */
  readonly children: ReactNode;
}

type View = 'side' | 'steps' | 'spec' | 'status';

export function Comparison({
  comparison: { steps, counts, alike },
  title,
  before,
  after,
  first,
  second,
  sideBySide,
  children,
}: ComparisonProps) {
  const t = useT();
  const [view, setView] = useState<View>(sideBySide === undefined ? 'steps' : 'side');
  const [differencesOnly, setDifferencesOnly] = useState(true);
  const views: readonly View[] = [...(sideBySide === undefined ? [] : (['side'] as const)), 'steps', 'spec', 'status'];
  const { missing, extra, outcome, slower, faster } = counts;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <Choice
          label={t(compareMessages.view)}
          value={view}
          options={views.map((id) => ({ id, label: t(compareMessages[id]) }))}
          onChange={setView}
        />
        {view !== 'side' && (
          <span className={styles.summary}>
            {title}
            {alike ? t(compareMessages.same) : t(compareMessages.counts, { missing, extra, outcome })}
            {slower + faster > 0 && t(compareMessages.speeds, { slower, faster })}
          </span>
        )}
        {view === 'steps' && (
          <Toggle icon="table" isSelected={differencesOnly} onChange={setDifferencesOnly}>
            {t(compareMessages.differencesOnly)}
          </Toggle>
        )}
        {children}
      </header>
      <div className={styles.body}>
        {view === 'side' ? (
          sideBySide
        ) : view === 'steps' ? (
          <StepDifferences steps={steps} differencesOnly={differencesOnly} before={before} after={after} />
        ) : second === undefined ? (
          <EmptyState icon="info" title={t(compareMessages.notThere)} />
        ) : (
          <FieldDifferences
            label={t(compareMessages[view])}
            first={view === 'spec' ? first?.object?.['spec'] : first?.status}
            second={view === 'spec' ? second.object?.['spec'] : second.status}
            before={before}
            after={after}
          />
        )}
      </div>
    </div>
  );
}
