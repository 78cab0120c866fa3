/** What the timeline shows, as rows by start. */
import { RunLanes, type TableRow, tableRows } from '@podscope/timeline';
import type { PodTrack } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { useSession } from '../run/node-session.ts';
import { usePod } from '../run/use-run.ts';
import { select, useView } from '../state/view-store.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock, formatDuration } from '../ui/format.ts';
import { StateMark } from '../ui/StateMark.tsx';

const columns: readonly Column<TableRow>[] = [
  { id: 'start', title: 'Start', width: '7rem', cell: ({ start }) => formatClock(start) },
  {
    id: 'duration',
    title: 'Duration',
    width: '6rem',
    align: 'end',
    cell: ({ duration, end }) => duration !== undefined && `${formatDuration(duration)}${end === undefined ? '…' : ''}`,
  },
  { id: 'lane', title: 'Lane', width: 'minmax(4rem, 1fr)', cell: ({ lane }) => lane },
  {
    id: 'label',
    title: 'What',
    width: 'minmax(6rem, 2fr)',
    cell: ({ label, depth, failed }) => (
      <span style={{ paddingLeft: `${depth * 0.75}rem` }} title={label}>
        {failed && <StateMark tone="error" size={10} />} {label}
      </span>
    ),
  },
  { id: 'state', title: 'State', width: 'minmax(4rem, 1fr)', cell: ({ state }) => state },
  { id: 'detail', title: 'Detail', width: 'minmax(6rem, 4fr)', cell: ({ detail }) => <span title={detail}>{detail}</span> },
];

export function TimelineTable({ pod }: { readonly pod: PodTrack }) {
  const { run } = useSession();
  const versioned = usePod(pod.uid);
  const [lanes] = useState(() => new RunLanes());
  const selected = useView((view) => view.selected);
  const rows = useMemo(() => tableRows(lanes.model(run.fold, versioned.pod ? [versioned.pod.uid] : []), run.now()), [lanes, run, versioned]);
  return (
    <DataTable
      label="Timeline as table"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isSelected={({ id }) => id === selected}
      onSelect={({ id }) => select(id)}
      followEnd
      empty={<EmptyState title="Nothing happened yet" />}
    />
  );
}
