/** Wraps the canvas timeline of a pod as a component. */
import {
  collapsesByDefault,
  createTimeline,
  isFoldableLane,
  type Lane,
  LaneArranger,
  nodeLaneId,
  RunLanes,
  type Timeline,
  type TimelineHover,
  type TimelineModel,
  type TimelineSelection,
  type Viewport,
} from '@podscope/timeline';
import type { SpanRecord } from '@podscope/trace';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { onThemeChange } from '../../base/theme/theme.ts';
import { choosePod, select, spanOf, useView } from '../../node/address/view-store.ts';
import { listedPods, usePodList } from '../../node/pods/pod-list.ts';
import { useSession } from '../../node/run/node-session.ts';
import type { RunStore } from '../../node/run/run-store.ts';
import { travelToTime } from '../../node/travel/use-travel.ts';
import { usePointedAt } from '../../node/view/pointed-at.ts';
import { useLaneView } from './lane-view.ts';
import { timelineMessages } from './messages.en.ts';
import { timelineFindId } from './TimelineFind.tsx';
import { TimelineTip } from './TimelineTip.tsx';
import styles from './TimelineView.module.css';
import { useTimelineHandle } from './timeline-handle.ts';
import { useTimelineWords } from './timeline-words.ts';

/** Returns true if a part of the span is visible, so that the timeline needn't scroll. */
const isInView = (span: SpanRecord | undefined, { start, end }: Viewport): boolean =>
  span !== undefined && span.start <= end && (span.end ?? span.start) >= start;

/** Returns the id to select. For a part of a span, such as a layer of an image pull, returns the id of the span. */
const selectedId = (selection: TimelineSelection | undefined): string | undefined => {
  const span = (selection?.item ?? selection?.marker)?.span;
  const id = selection?.id;
  return span !== undefined && (id?.startsWith('layer:') || id?.startsWith('span:')) ? `span:${span}` : id;
};

interface Tip {
  readonly hover: TimelineHover;
  readonly model: TimelineModel;
}

/**
 * Returns the timeline's model of the whole run, even while the page shows the past. Events after the shown instant are
 * dimmed.
 */
function modelOf(lanes: RunLanes, arranger: LaneArranger, run: RunStore, uid: string | undefined): TimelineModel {
  const source = run.history.newest;
  const { isNodeExpanded, hidden } = useLaneView.getState();
  const node = hidden.has(nodeLaneId) ? [] : lanes.node(source, isNodeExpanded);
  if (uid === undefined) {
    const overview = lanes.overview(
      source,
      listedPods(source.pods()).map((pod) => pod.uid),
    );
    return { ...overview, lanes: [...overview.lanes, ...node] };
  }
  const model = lanes.model(source, [uid]);
  const { collapses = collapsesByDefault(model.lanes), order, sequence, pinned } = useLaneView.getState();
  const { container } = usePointedAt.getState();
  const shown = container && `${uid}/${container}`;
  const arranged = arranger.arrange(model.lanes, { collapses, order, sequence, pinned, hidden, shown });
  return { ...model, lanes: [...arranged, ...node] };
}

/** Returns the pod's UID, which the id of a lane contains while the timeline shows all pods. */
const uidOf = ({ id }: Lane): string => id.slice(0, id.indexOf('/'));

interface TimelineViewProps {
  /** UID of the pod; undefined to show all pods of the list. */
  readonly uid: string | undefined;
  readonly name: string;
}

export function TimelineView({ uid, name }: TimelineViewProps) {
  const t = useT();
  const words = useTimelineWords();
  const session = useSession();
  const { run } = session;
  const selected = useView((view) => view.selected);
  const host = useRef<HTMLDivElement>(null);
  const timeline = useRef<Timeline>(undefined);
  const lanes = useRef<RunLanes>(undefined);
  const model = useRef<TimelineModel>(undefined);
  /**
   * The id of the item that the user selected in the timeline. The timeline doesn't scroll to it, because it is already
   * visible.
   */
  const own = useRef<string>(undefined);
  const [tip, setTip] = useState<Tip>();
  const label = uid === undefined ? t(timelineMessages.overviewOf) : t(timelineMessages.of, { name });

  useEffect(() => {
    if (!host.current) return undefined;
    const made = createTimeline(host.current, { now: () => run.liveNow(), label, words });
    timeline.current = made;
    lanes.current = new RunLanes(words);
    const arranger = new LaneArranger(words);
    const renewed = (): TimelineModel =>
      (model.current = modelOf(lanes.current ?? new RunLanes(words), arranger, run, uid));
    model.current = renewed();
    made.setFolding(useTimelineHandle.getState().isFolding);
    made.setMotion(usePreferences.getState().motion);
    made.setModel(model.current);
    made.setCursor(run.past?.time);
    made.setSelection(useView.getState().selected);
    const point = ({ container } = usePointedAt.getState()): void =>
      made.pointAt(container && uid && `${uid}/${container}`);
    point();
    const { range, follow } = useView.getState();
    if (range) made.setViewport(range);
    else if (!follow) made.follow(false);
    const versionOf = (): unknown => {
      const { newest } = run.history;
      return uid === undefined ? newest.version : `${newest.pod(uid)?.version} ${newest.nodeVersion}`;
    };
    const newestPod = (): unknown => (uid === undefined ? run.history.newest : run.history.newest.pod(uid));
    let drawn = newestPod();
    let drawnVersion = versionOf();
    let cursor = run.past?.time;
    /** The canvas reads the run directly, so that drawing a frame doesn't render React components. */
    const renew = (): void => {
      const pod = newestPod();
      if (pod && lanes.current && (pod !== drawn || versionOf() !== drawnVersion)) {
        drawn = pod;
        drawnVersion = versionOf();
        made.renewModel(renewed);
      }
      if (run.past?.time !== cursor) {
        cursor = run.past?.time;
        made.setCursor(cursor);
      }
    };
    let isFollowing = made.following !== 'off';
    const cleanups = [
      run.subscribeFrames(renew),
      onThemeChange(() => made.setTheme()),
      usePreferences.subscribe(({ motion }) => made.setMotion(motion)),
      useLaneView.subscribe(() => made.renewModel(renewed)),
      ...(uid === undefined
        ? [
            usePodList.subscribe(() => made.renewModel(renewed)),
            usePreferences.subscribe(() => made.renewModel(renewed)),
          ]
        : []),
      usePointedAt.subscribe((at) => {
        made.renewModel(renewed);
        point(at);
      }),
      made.on('select', (selection) => {
        const other = uid === undefined && selection ? run.pod(uidOf(selection.lane)) : undefined;
        own.current = selectedId(selection);
        if (other && other.uid !== useView.getState().uid) choosePod(other);
        select(own.current);
      }),
      made.on('seek', (time) => {
        // While the page follows the present, a click on the background only clears the selection.
        if (run.past) travelToTime(session, time);
      }),
      made.on('lane', (lane) => {
        const pod = uid === undefined ? run.pod(uidOf(lane)) : undefined;
        if (pod) choosePod(pod);
        else if (lane.kind === 'collapsed') useLaneView.setState({ collapses: false });
        else if (isFoldableLane(lane))
          useLaneView.setState(({ isNodeExpanded }) => ({ isNodeExpanded: !isNodeExpanded }));
      }),
      made.on('hover', (hover) => setTip(hover && model.current && { hover, model: model.current })),
      made.on('fold', (isFolding) => useTimelineHandle.setState({ isFolding })),
      made.on('follow', (mode) => {
        isFollowing = mode !== 'off';
        useView.getState().show(isFollowing ? { follow: true, range: undefined } : { follow: false });
      }),
      made.on('viewport', (viewport) => {
        if (!isFollowing) useView.getState().show({ range: viewport });
      }),
    ];
    useTimelineHandle.setState({ timeline: made });
    return () => {
      for (const cleanup of cleanups) cleanup();
      useTimelineHandle.setState({ timeline: undefined });
      timeline.current = undefined;
      made.dispose();
    };
  }, [session, run, uid, label, words]);

  useEffect(() => {
    const current = timeline.current;
    current?.setSelection(selected, {
      reveal: selected !== own.current && !isInView(run.span(spanOf(selected)), current.viewport),
    });
    own.current = selected;
  }, [run, selected]);

  return (
    // The canvas handles the keys; this handler only focuses the search field.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.view}
      onKeyDown={(event) => {
        if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        document.getElementById(timelineFindId)?.focus();
      }}
    >
      <div ref={host} data-timeline="" className={styles.host} />
      {tip && <TimelineTip hover={tip.hover} model={tip.model} now={run.now()} words={words} />}
    </div>
  );
}
