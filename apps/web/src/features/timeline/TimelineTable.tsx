/** Shows the items of the timeline as a table, ordered by their start. Default export: loaded when first shown. */
import {
  formatDuration,
  type Lane,
  LaneArranger,
  nodeLaneId,
  RunLanes,
  type TableRow,
  tableRows,
} from '@podscope/timeline';
import type { PodTrack } from '@podscope/trace';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { select, useView } from '../../node/address/view-store.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useNodeInfo, usePod } from '../../node/run/use-run.ts';
import { sourceColumn } from '../../node/sources/source-column.tsx';
import { useLaneView } from './lane-view.ts';
import { timelineMessages } from './messages.en.ts';
import { useTimelineWords } from './timeline-words.ts';

function useColumns(): readonly Column<TableRow>[] {
  const t = useT();
  const isObserved = useNodeInfo()?.observed !== undefined;
  return useMemo(
    () => [
      { id: 'start', title: t(timelineMessages.start), width: '7rem', cell: ({ start }) => formatClock(start) },
      {
        id: 'duration',
        title: t(timelineMessages.duration),
        width: '6rem',
        align: 'end',
        cell: ({ duration, end }) =>
          duration !== undefined && `${formatDuration(duration)}${end === undefined ? '…' : ''}`,
      },
      { id: 'lane', title: t(timelineMessages.lane), width: 'minmax(5.5rem, 1fr)', cell: ({ lane }) => lane },
      {
        id: 'label',
        title: t(timelineMessages.what),
        width: 'minmax(6rem, 2fr)',
        cell: ({ label, depth, failed }) => (
          <span style={{ paddingLeft: `${depth * 0.75}rem` }} title={label}>
            {failed && <StateMark tone="error" size={10} />} {label}
          </span>
        ),
      },
      { id: 'state', title: t(timelineMessages.state), width: 'minmax(4rem, 1fr)', cell: ({ state }) => state },
      {
        id: 'detail',
        title: t(timelineMessages.detail),
        width: 'minmax(6rem, 4fr)',
        cell: ({ detail }) => <span title={detail}>{detail}</span>,
      },
      ...(isObserved ? [sourceColumn<TableRow>(t, ({ source }) => source)] : []),
    ],
    [t, isObserved],
  );
}

/**
 * Returns a number that increases with each change of an observed node's work, if the table includes it; otherwise
 * undefined. Without a request of the user, the many relists would hide the items of the pod.
 */
function useNodeVersion(): number | undefined {
  const { run } = useSession();
  const includesNode = useLaneView(({ isNodeExpanded, hidden }) => isNodeExpanded && !hidden.has(nodeLaneId));
  return useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => (includesNode ? run.fold.nodeVersion : undefined),
  );
}

/** The order of lanes only determines the order of items with the same start. */
const asInSpec = { collapses: false, order: 'spec', pinned: new Set<string>() } as const;

/** Returns the lane without what was over at `time`. */
const since = (lane: Lane, time: number): Lane => ({
  ...lane,
  items: lane.items.filter(({ end }) => end === undefined || end >= time),
  markers: lane.markers.filter((marker) => marker.time >= time),
});

export default function TimelineTable({ pod }: { readonly pod: PodTrack }) {
  const t = useT();
  const words = useTimelineWords();
  const { run } = useSession();
  const versioned = usePod(pod.uid);
  const lanes = useMemo(() => new RunLanes(words), [words]);
  const columns = useColumns();
  const selected = useView((view) => view.selected);
  const hidden = useLaneView((view) => view.hidden);
  const nodeVersion = useNodeVersion();
  const rows = useMemo(() => {
    const model = lanes.model(run.fold, versioned.pod ? [versioned.pod.uid] : []);
    const shown = new LaneArranger(words).arrange(model.lanes, { ...asInSpec, hidden });
    const node = nodeVersion === undefined ? [] : lanes.node(run.fold, true);
    const all = [...shown, ...node.map((lane) => since(lane, model.origin))];
    return tableRows({ ...model, lanes: all }, run.now(), words);
  }, [lanes, run, versioned, nodeVersion, hidden, words]);
  return (
    <DataTable
      label={t(timelineMessages.table)}
      columns={columns}
      rows={rows}
      rowKey={({ id, lane }) => `${lane} ${id}`}
      isSelected={({ id }) => id === selected}
      onSelect={({ id }) => select(id)}
      followEnd
      empty={<EmptyState title={t(timelineMessages.empty)} />}
    />
  );
}
