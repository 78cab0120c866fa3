/** All SyncResults of the pod, pass by pass. */
import type { SyncResultRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { shortId } from '../inspector/value-text.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { spanOf, useView } from '../state/view-store.ts';
import { verdictOf } from '../steps/steps-model.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock, formatDuration } from '../ui/format.ts';
import { StateMark } from '../ui/StateMark.tsx';
import styles from './cells.module.css';

const tones = { done: 'done', failed: 'error', postponed: 'waiting' } as const;

interface ResultRow {
  readonly sync: number;
  readonly result: SyncResultRecord;
}

const columns: readonly Column<ResultRow>[] = [
  { id: 'sync', title: 'Sync', width: '3.5rem', align: 'end', cell: ({ sync }) => <span className={styles.quiet}>{sync}</span> },
  { id: 'time', title: 'Time', width: '6.75rem', cell: ({ result }) => formatClock(result.time) },
  {
    id: 'action',
    title: 'Action',
    width: 'minmax(6rem, 10rem)',
    cell: ({ result }) => (
      <span className={styles.marked}>
        <StateMark tone={tones[verdictOf([result])]} size={10} />
        {result.action}
      </span>
    ),
  },
  { id: 'target', title: 'Target', width: 'minmax(4rem, 1fr)', cell: ({ result }) => <code title={result.target}>{shortId(result.target)}</code> },
  {
    id: 'error',
    title: 'Error',
    width: 'minmax(5rem, 9.5rem)',
    cell: ({ result }) => <span className={verdictOf([result]) === 'postponed' ? styles.warn : styles.bad}>{result.error}</span>,
  },
  { id: 'message', title: 'Message', width: 'minmax(5rem, 2.2fr)', cell: ({ result }) => <span title={result.message}>{result.message}</span> },
  {
    id: 'duration',
    title: 'Duration',
    width: '5.5rem',
    align: 'end',
    cell: ({ result }) => (result.duration === undefined ? '' : formatDuration(result.duration)),
  },
];

export function ResultsTab() {
  const versioned = useSelectedPod();
  const selected = useView((view) => spanOf(view.selected));
  const rows = useMemo(
    () => versioned.pod?.syncs.flatMap(({ number, results }) => results.map((result): ResultRow => ({ sync: number, result }))) ?? [],
    [versioned],
  );
  return (
    <DataTable
      label="Sync results"
      columns={columns}
      rows={rows}
      rowKey={({ result }) => result.seq}
      isSelected={({ result }) => result.span !== undefined && result.span === selected}
      onSelect={({ result, sync }) => {
        useView.getState().show({ sync, selected: result.span === undefined ? undefined : `span:${result.span}` });
      }}
      followEnd
      empty={
        <EmptyState icon="table" title="No results yet">
          Each action of SyncPod leaves one: CreatePodSandbox, StartContainer, KillContainer and their errors.
        </EmptyState>
      }
    />
  );
}
