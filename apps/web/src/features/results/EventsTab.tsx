/**
 * Lists all Kubernetes events of the pod, or of all pods, in order and without collapsing. Default export:
 * loaded when first opened.
 */
import type { KubernetesEventRecord, PodTrack } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { Toggle } from '../../base/ui/fields/Button.tsx';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { MiddleText } from '../../base/ui/text/MiddleText.tsx';
import { choosePod, select, useView } from '../../node/address/view-store.ts';
import { usePodList } from '../../node/pods/pod-list.ts';
import { useNodeInfo, usePods, usePodValue } from '../../node/run/use-run.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { sourceColumn } from '../../node/sources/source-column.tsx';
import { sourceText } from '../../node/sources/source-text.ts';
import { InjectedBehind } from '../interventions/index.ts';
import styles from './cells.module.css';
import { type EventRow, eventsOfPods } from './events-of-pods.ts';
import { GrowingFilter } from './growing-filter.ts';
import { tableMessages } from './messages.en.ts';

const podColumn = (t: typeof translate): Column<EventRow> => ({
  id: 'pod',
  title: t(tableMessages.pod),
  width: 'minmax(6rem, 1.3fr)',
  cell: ({ pod }) => pod && <MiddleText>{pod.name}</MiddleText>,
});

const columnsIn = (t: typeof translate, isObserved: boolean): readonly Column<EventRow>[] => [
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
      <span className={styles.message} title={message}>
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
  ...(isObserved ? [sourceColumn<EventRow>(t, (event) => sourceText(t, event), styles.quiet)] : []),
];

const eventsOf = (pod: PodTrack | undefined): readonly KubernetesEventRecord[] | undefined => pod?.events;
const countEvents = (pod: PodTrack | undefined): number => pod?.events.length ?? 0;
const none: readonly KubernetesEventRecord[] = [];

/** Returns the test for the events to list; undefined if all are listed. */
function testOf({ filter, warningsOnly }: EventsFilter): ((event: EventRow) => boolean) | undefined {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !warningsOnly) return undefined;
  return (event) => {
    if (warningsOnly && event.type !== 'Warning') return false;
    const text = `${event.pod?.name ?? ''} ${event.reason} ${event.container ?? ''} ${event.message}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

interface EventsFilter {
  readonly filter: string;
  readonly warningsOnly: boolean;
}

interface EventTableProps extends EventsFilter {
  readonly columns: readonly Column<EventRow>[];
  readonly rows: readonly EventRow[];
  readonly onSelect: (event: EventRow) => void;
  /** Number of events without the filter. */
  readonly count: number;
}

function EventTable({ columns, rows, onSelect, count, filter, warningsOnly }: EventTableProps) {
  const t = useT();
  const selected = useView((view) => view.selected);
  const hasSource = useNodeInfo()?.observed?.missing.includes('api') !== true;
  return (
    <DataTable
      label={t(tableMessages.events)}
      columns={columns}
      rows={rows}
      rowKey={({ seq }) => seq}
      isSelected={({ seq }) => selected === `event:${seq}`}
      onSelect={onSelect}
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

/** Returns the rows that match the filter. The list grows in place, like the list of all rows. */
function useFiltered(all: readonly EventRow[], { filter, warningsOnly }: EventsFilter): readonly EventRow[] {
  const filtered = useMemo(() => {
    const passes = testOf({ filter, warningsOnly });
    return passes && new GrowingFilter<EventRow>(passes);
  }, [filter, warningsOnly]);
  return filtered ? filtered.of(all) : all;
}

/** Subscribes to new events. It is a separate component so that the toolbar doesn't render again. */
function EventsOfPod(filter: EventsFilter) {
  const t = useT();
  const isObserved = useNodeInfo()?.observed !== undefined;
  const columns = useMemo(() => columnsIn(t, isObserved), [t, isObserved]);
  const uid = useSelectedUid();
  // Events are added to the same array. The array is another one only if the fold is another one.
  const events = usePodValue(uid, eventsOf, 'frame') ?? none;
  const count = usePodValue(uid, countEvents, 'frame');
  return (
    <EventTable
      columns={columns}
      rows={useFiltered(events, filter)}
      count={count}
      {...filter}
      onSelect={({ seq }) => select(`event:${seq}`)}
    />
  );
}

/** Lists the events of all pods of the list's namespace, in the order in which they happened. */
function EventsOfAll(filter: EventsFilter) {
  const t = useT();
  const pods = usePods();
  const namespace = usePodList((list) => list.namespace);
  const isObserved = useNodeInfo()?.observed !== undefined;
  const columns = useMemo(() => {
    const [time, ...others] = columnsIn(t, isObserved);
    return time ? [time, podColumn(t), ...others] : [];
  }, [t, isObserved]);
  const [merged] = useState(eventsOfPods);
  const all = merged.of(pods.filter((pod) => namespace === undefined || pod.namespace === namespace));
  return (
    <EventTable
      columns={columns}
      rows={useFiltered(all, filter)}
      count={all.length}
      {...filter}
      onSelect={({ seq, pod }) => {
        if (pod) choosePod(pod);
        select(`event:${seq}`);
      }}
    />
  );
}

export default function EventsTab() {
  const t = useT();
  const [filter, setFilter] = useState('');
  const [warningsOnly, setWarningsOnly] = useState(false);
  const [isAll, setAll] = useState(false);
  const List = isAll ? EventsOfAll : EventsOfPod;
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <div className={styles.grow}>
          <SearchField label={t(tableMessages.filterEvents)} value={filter} onChange={setFilter} />
        </div>
        <Toggle icon="pods" isSelected={isAll} onChange={setAll}>
          {t(tableMessages.allPods)}
        </Toggle>
        <Toggle icon="warning" isSelected={warningsOnly} onChange={setWarningsOnly}>
          {t(tableMessages.warningsOnly)}
        </Toggle>
      </div>
      <div className={styles.content}>
        <List filter={filter} warningsOnly={warningsOnly} />
      </div>
    </div>
  );
}
