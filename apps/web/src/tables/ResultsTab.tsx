/** All SyncResults of the pod, pass by pass. Default export: loaded when first looked at. */
import type { SyncResultRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { type translate, useT } from '../i18n/i18n.ts';
import { InjectedBehind } from '../inspector/Injected.tsx';
import { shortId } from '../inspector/value-text.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { spanOf, useView } from '../state/view-store.ts';
import { verdictOf } from '../steps/steps-model.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock, formatDuration } from '../ui/format.ts';
import { StateMark } from '../ui/StateMark.tsx';
import styles from './cells.module.css';
import { tableMessages } from './messages.en.ts';

const tones = { done: 'done', failed: 'error', postponed: 'waiting' } as const;

interface ResultRow {
  readonly sync: number;
  readonly result: SyncResultRecord;
}

const columnsIn = (t: typeof translate): readonly Column<ResultRow>[] => [
  { id: 'sync', title: t(tableMessages.sync), width: '3.5rem', align: 'end', isSpare: true, cell: ({ sync }) => <span className={styles.quiet}>{sync}</span> },
  { id: 'time', title: t(tableMessages.time), width: '6.75rem', cell: ({ result }) => formatClock(result.time) },
  {
    id: 'action',
    title: t(tableMessages.action),
    width: 'minmax(9rem, 9.5rem)',
    cell: ({ result }) => (
      <span className={styles.marked}>
        <StateMark tone={tones[verdictOf([result])]} size={10} />
        {result.action}
      </span>
    ),
  },
  {
    id: 'target',
    title: t(tableMessages.target),
    width: 'minmax(5.5rem, 1.2fr)',
    cell: ({ result }) => <code title={result.target}>{shortId(result.target)}</code>,
  },
  {
    id: 'error',
    title: t(tableMessages.error),
    width: 'minmax(5rem, 8.5rem)',
    cell: ({ result }) => (
      <span className={verdictOf([result]) === 'postponed' ? styles.warn : styles.bad} title={result.message}>
        {result.error}
      </span>
    ),
  },
  {
    id: 'message',
    title: t(tableMessages.message),
    width: 'minmax(5rem, 2.2fr)',
    isSpare: true,
    cell: ({ result }) => (
      <span title={result.message}>
        <InjectedBehind text={result.message} span={result.span} /> {result.message}
      </span>
    ),
  },
  {
    id: 'duration',
    title: t(tableMessages.duration),
    width: '5.5rem',
    align: 'end',
    isSpare: true,
    cell: ({ result }) => (result.duration === undefined ? '' : formatDuration(result.duration)),
  },
];

export default function ResultsTab() {
  const t = useT();
  const columns = useMemo(() => columnsIn(t), [t]);
  const versioned = useSelectedPod();
  const selected = useView((view) => spanOf(view.selected));
  const rows = useMemo(
    () => versioned.pod?.syncs.flatMap(({ number, results }) => results.map((result): ResultRow => ({ sync: number, result }))) ?? [],
    [versioned],
  );
  return (
    <DataTable
      label={t(tableMessages.syncResults)}
      columns={columns}
      rows={rows}
      rowKey={({ result }) => result.seq}
      isSelected={({ result }) => result.span !== undefined && result.span === selected}
      onSelect={({ result, sync }) => {
        useView.getState().show({ sync, selected: result.span === undefined ? undefined : `span:${result.span}` });
      }}
      followEnd
      empty={
        <EmptyState icon="table" title={t(tableMessages.noResults)}>
          {t(tableMessages.noResultsNote)}
        </EmptyState>
      }
    />
  );
}
