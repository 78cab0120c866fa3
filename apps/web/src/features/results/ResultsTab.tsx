/** Lists all SyncResults of the pod by sync, or all its actions. Default export: loaded when first opened. */
import { formatDuration } from '@podscope/timeline';
import type { SyncResultRecord } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { Choice } from '../../base/ui/fields/Choice.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { shortId } from '../../base/ui/text/value-text.ts';
import { spanOf, useView } from '../../node/address/view-store.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { verdictOf } from '../../node/syncs/verdict.ts';
import { InjectedBehind } from '../interventions/index.ts';
import { ActionList } from './ActionList.tsx';
import styles from './cells.module.css';
import { tableMessages } from './messages.en.ts';

const tones = { done: 'done', failed: 'error', waiting: 'waiting' } as const;

interface ResultRow {
  readonly sync: number;
  readonly result: SyncResultRecord;
}

const columnsIn = (t: typeof translate): readonly Column<ResultRow>[] => [
  {
    id: 'sync',
    title: t(tableMessages.sync),
    width: '3.5rem',
    align: 'end',
    isSpare: true,
    cell: ({ sync }) => <span className={styles.quiet}>{sync}</span>,
  },
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
      <span className={verdictOf([result]) === 'waiting' ? styles.warn : styles.bad} title={result.message}>
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
      <span className={styles.message} title={result.message}>
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

function ResultList() {
  const t = useT();
  const columns = useMemo(() => columnsIn(t), [t]);
  const versioned = useSelectedPod();
  const selected = useView((view) => spanOf(view.selected));
  const rows = useMemo(
    () =>
      versioned.pod?.syncs.flatMap(({ number, results }) =>
        results.map((result): ResultRow => ({ sync: number, result })),
      ) ?? [],
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

export default function ResultsTab() {
  const t = useT();
  const [view, setView] = useState<'syncResults' | 'actions'>('syncResults');
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Choice
          label={t(tableMessages.view)}
          value={view}
          options={(['syncResults', 'actions'] as const).map((id) => ({ id, label: t(tableMessages[id]) }))}
          onChange={setView}
        />
      </div>
      <div className={styles.content}>{view === 'actions' ? <ActionList /> : <ResultList />}</div>
    </div>
  );
}
