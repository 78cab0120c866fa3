/** Lists the steps of both sides, one pair of matched steps per row. */
import { formatDuration } from '@podscope/timeline';
import type { AlignedStep, RunStep, StepDifference } from '@podscope/trace/compare';
import { useMemo } from 'react';
import { type translate, useT } from '../../../base/i18n/i18n.ts';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import { StateMark, type Tone } from '../../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../../base/ui/tables/DataTable.tsx';
import { Injected } from '../../interventions/index.ts';
import styles from '../CompareTab.module.css';
import { compareMessages } from '../messages.en.ts';

const tones: Readonly<Record<StepDifference, Tone>> = {
  missing: 'skipped',
  extra: 'pending',
  outcome: 'error',
  slower: 'waiting',
  faster: 'waiting',
};

const stepOf = ({ before, after }: AlignedStep): RunStep | undefined => before ?? after;

const columnsIn = (
  t: typeof translate,
  titles: { readonly before: string; readonly after: string },
): readonly Column<AlignedStep>[] => {
  const said = ({ outcome, reason, duration }: RunStep): string =>
    [
      outcome === 'ok' ? undefined : t(compareMessages[outcome]),
      reason,
      duration === undefined ? undefined : formatDuration(duration),
    ]
      .filter(Boolean)
      .join(' · ') || t(compareMessages.done);
  const side = (step: RunStep | undefined) =>
    step ? (
      <span title={step.message ?? said(step)}>
        <Injected by={step.injected.map((text) => ({ text }))} /> {said(step)}
      </span>
    ) : (
      <span className={styles.absent}>—</span>
    );
  return [
    { id: 'action', title: t(compareMessages.step), width: 'minmax(7rem, 12rem)', cell: (row) => stepOf(row)?.action },
    {
      id: 'target',
      title: t(compareMessages.target),
      width: 'minmax(6rem, 1fr)',
      cell: (row) => {
        const step = stepOf(row);
        return (
          step && (
            <code title={step.target}>
              {step.target +
                (step.attempt > 0 ? ` #${step.attempt}` : '') +
                (step.occurrence > 1 ? ` ×${step.occurrence}` : '')}
            </code>
          )
        );
      },
    },
    { id: 'before', title: titles.before, width: 'minmax(7rem, 1fr)', cell: ({ before }) => side(before) },
    { id: 'after', title: titles.after, width: 'minmax(7rem, 1fr)', cell: ({ after }) => side(after) },
    {
      id: 'difference',
      title: t(compareMessages.difference),
      width: '11rem',
      cell: ({ difference }) =>
        difference && (
          <span className={cx(styles.difference, styles[difference])}>
            <StateMark tone={tones[difference]} size={10} />
            {t(compareMessages[difference])}
          </span>
        ),
    },
  ];
};

interface StepDifferencesProps {
  readonly steps: readonly AlignedStep[];
  readonly differencesOnly: boolean;
  readonly before: string;
  readonly after: string;
}

export function StepDifferences({ steps, differencesOnly, before, after }: StepDifferencesProps) {
  const t = useT();
  const columns = useMemo(() => columnsIn(t, { before, after }), [t, before, after]);
  const rows = differencesOnly ? steps.filter(({ difference }) => difference !== undefined) : steps;
  return (
    <DataTable
      label={t(compareMessages.comparison)}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.before?.seq ?? ''}-${row.after?.seq ?? ''}-${stepOf(row)?.action}-${stepOf(row)?.target}`}
      empty={
        <EmptyState title={t(compareMessages.noDifference)}>
          {t(compareMessages.allSame, { count: steps.length })}
        </EmptyState>
      }
    />
  );
}
