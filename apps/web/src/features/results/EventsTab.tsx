/** Lists all Kubernetes events of the pod in order, without collapsing. Default export: loaded when first opened. */
import type { KubernetesEventRecord, PodTrack } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { Toggle } from '../../base/ui/fields/Button.tsx';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { select, useView } from '../../node/address/view-store.ts';
import { useNodeInfo, usePodValue } from '../../node/run/use-run.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { InjectedBehind } from '../interventions/index.ts';
import styles from './cells.module.css';
import { GrowingFilter } from './growing-filter.ts';
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
  {
    id: 'container',
    title: t(tableMessages.container),
    width: 'minmax(4.75rem, 1fr)',
    isSpare: true,
    cell: ({ container }) => container && <code>{container}</code>,
  },
  {
    id: 'message',
    title: t(tableMessages.message),
    width: 'minmax(5.25rem, 4fr)',
    cell: ({ message }) => (
      <span title={message}>
        <InjectedBehind text={message} /> {message}
      </span>
    ),
  },
  {
    id: 'count',
    title: t(tableMessages.seen),
    width: '3.75rem',
    align: 'end',
    isSpare: true,
    cell: ({ count }) => <span className={styles.quiet}>{count > 1 ? `×${count}` : ''}</span>,
  },
];

const eventsOf = (pod: PodTrack | undefined): readonly KubernetesEventRecord[] | undefined => pod?.events;
const countEvents = (pod: PodTrack | undefined): number => pod?.events.length ?? 0;
const none: readonly KubernetesEventRecord[] = [];

interface EventsListProps {
  readonly filter: string;
  readonly warningsOnly: boolean;
}

/** Subscribes to new events. It is a separate component so that the toolbar doesn't render again. */
function EventsList({ filter, warningsOnly }: EventsListProps) {
  const t = useT();
  const columns = useMemo(() => columnsIn(t), [t]);
  const uid = useSelectedUid();
  // Events are added to the same array. The array is another one only if the fold is another one.
  const events = usePodValue(uid, eventsOf, 'frame') ?? none;
  const count = usePodValue(uid, countEvents, 'frame');
  const selected = useView((view) => view.selected);
  const hasSource = useNodeInfo()?.observed?.missing.includes('api') !== true;
  const filtered = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && !warningsOnly) return undefined;
    return new GrowingFilter<KubernetesEventRecord>((event) => {
      if (warningsOnly && event.type !== 'Warning') return false;
      const text = `${event.reason} ${event.container ?? ''} ${event.message}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [filter, warningsOnly]);
  return (
    <DataTable
      label={t(tableMessages.events)}
      columns={columns}
      rows={filtered ? filtered.of(events) : events}
      rowKey={({ seq }) => seq}
      isSelected={({ seq }) => selected === `event:${seq}`}
      onSelect={({ seq }) => select(`event:${seq}`)}
      followEnd
      empty={
        filter !== '' || warningsOnly ? (
          <EmptyState title={t(tableMessages.noEventMatches)}>{t(tableMessages.inAll, { count })}</EmptyState>
        ) : (
          <EmptyState icon="info" title={t(hasSource ? tableMessages.noEvents : tableMessages.noEventSource)}>
            {t(hasSource ? tableMessages.noEventsNote : tableMessages.noEventSourceNote)}
          </EmptyState>
        )
      }
    />
  );
}

export default function EventsTab() {
  const t = useT();
  const [filter, setFilter] = useState('');
  const [warningsOnly, setWarningsOnly] = useState(false);
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
        <EventsList filter={filter} warningsOnly={warningsOnly} />
      </div>
    </div>
  );
}
