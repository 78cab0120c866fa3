/** The Kubernetes events of the pod, in the order they came: never collapsed, never forgotten. Default export: loaded when first looked at. */
import type { KubernetesEventRecord } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { type translate, useT } from '../i18n/i18n.ts';
import { InjectedBehind } from '../inspector/Injected.tsx';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { select, useView } from '../state/view-store.ts';
import { Toggle } from '../ui/Button.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatClock } from '../ui/format.ts';
import { SearchField } from '../ui/SearchField.tsx';
import { StateMark } from '../ui/StateMark.tsx';
import styles from './cells.module.css';
import { tableMessages } from './messages.en.ts';

const columnsIn = (t: typeof translate): readonly Column<KubernetesEventRecord>[] => [
  { id: 'time', title: t(tableMessages.time), width: '6.75rem', cell: ({ time }) => formatClock(time) },
  {
    id: 'reason',
    title: t(tableMessages.reason),
    width: 'minmax(6rem, 1.3fr)',
    cell: ({ type, reason }) => (
      <span className={styles.marked} title={type}>
        <StateMark tone={type === 'Warning' ? 'error' : 'done'} size={10} />
        {reason}
      </span>
    ),
  },
  { id: 'container', title: t(tableMessages.container), width: 'minmax(3.5rem, 1fr)', cell: ({ container }) => container && <code>{container}</code> },
  {
    id: 'message',
    title: t(tableMessages.message),
    width: 'minmax(5.5rem, 4fr)',
    cell: ({ message }) => (
      <span title={message}>
        <InjectedBehind text={message} /> {message}
      </span>
    ),
  },
  {
    id: 'count',
    title: t(tableMessages.seen),
    width: '3.25rem',
    align: 'end',
    cell: ({ count }) => <span className={styles.quiet}>{count > 1 ? `×${count}` : ''}</span>,
  },
];

export default function EventsTab() {
  const t = useT();
  const columns = useMemo(() => columnsIn(t), [t]);
  const versioned = useSelectedPod();
  const [filter, setFilter] = useState('');
  const [warningsOnly, setWarningsOnly] = useState(false);
  const selected = useView((view) => view.selected);
  const rows = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return (versioned.pod?.events ?? []).filter((event) => {
      if (warningsOnly && event.type !== 'Warning') return false;
      const text = `${event.reason} ${event.container ?? ''} ${event.message}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [versioned, filter, warningsOnly]);
  const isFiltered = filter !== '' || warningsOnly;
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <div className={styles.grow}>
          <SearchField label={t(tableMessages.filterEvents)} value={filter} onChange={setFilter} />
        </div>
        <Toggle icon="warning" isSelected={warningsOnly} onChange={setWarningsOnly}>
          {t(tableMessages.warningsOnly)}
        </Toggle>
      </div>
      <div className={styles.content}>
        <DataTable
          label={t(tableMessages.events)}
          columns={columns}
          rows={rows}
          rowKey={({ seq }) => seq}
          isSelected={({ seq }) => selected === `event:${seq}`}
          onSelect={({ seq }) => select(`event:${seq}`)}
          followEnd
          empty={
            isFiltered ? (
              <EmptyState title={t(tableMessages.noEventMatches)}>{t(tableMessages.inAll, { count: versioned.pod?.events.length ?? 0 })}</EmptyState>
            ) : (
              <EmptyState icon="info" title={t(tableMessages.noEvents)}>
                {t(tableMessages.noEventsNote)}
              </EmptyState>
            )
          }
        />
      </div>
    </div>
  );
}
