/** The canvas timeline of one pod as a component: the run goes in, what a person does with it comes out. */
import { createTimeline, RunLanes, type Timeline, type TimelineHover, type TimelineModel, type Viewport } from '@podscope/timeline';
import type { SpanRecord } from '@podscope/trace';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../run/node-session.ts';
import { usePod } from '../run/use-run.ts';
import { onThemeChange } from '../state/theme.ts';
import { select, spanOf, useView } from '../state/view-store.ts';
import { TimelineTip } from './TimelineTip.tsx';
import styles from './TimelineView.module.css';
import { useTimelineHandle } from './timeline-handle.ts';

/** What is in view already is left where it is. */
const isInView = (span: SpanRecord | undefined, { start, end }: Viewport): boolean =>
  span !== undefined && span.start <= end && (span.end ?? span.start) >= start;

interface Tip {
  readonly hover: TimelineHover;
  readonly model: TimelineModel;
}

export function TimelineView({ uid, name }: { readonly uid: string; readonly name: string }) {
  const { run } = useSession();
  const versioned = usePod(uid);
  const selected = useView((view) => view.selected);
  const host = useRef<HTMLDivElement>(null);
  const timeline = useRef<Timeline>(undefined);
  const lanes = useRef(new RunLanes());
  const model = useRef<TimelineModel>(undefined);
  /** What the timeline itself selected need not be brought into view. */
  const own = useRef<string>(undefined);
  const [tip, setTip] = useState<Tip>();

  useEffect(() => {
    if (!host.current) return undefined;
    const made = createTimeline(host.current, { now: () => run.now(), label: `Timeline of ${name}` });
    timeline.current = made;
    model.current = lanes.current.model(run.fold, [uid]);
    made.setModel(model.current);
    const { range, follow } = useView.getState();
    if (range) made.setViewport(range);
    else if (!follow) made.follow(false);
    let isFollowing = made.following !== 'off';
    const cleanups = [
      onThemeChange(() => made.setTheme()),
      made.on('select', (selection) => {
        own.current = selection?.id;
        select(selection?.id);
      }),
      made.on('hover', (hover) => setTip(hover && model.current && { hover, model: model.current })),
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
  }, [run, uid, name]);

  useEffect(() => {
    if (!versioned.pod) return;
    model.current = lanes.current.model(run.fold, [versioned.pod.uid]);
    timeline.current?.setModel(model.current);
  }, [run, versioned]);

  useEffect(() => {
    const current = timeline.current;
    current?.setSelection(selected, { reveal: selected !== own.current && !isInView(run.span(spanOf(selected)), current.viewport) });
    own.current = selected;
  }, [run, selected]);

  return (
    <div className={styles.view}>
      <div ref={host} data-timeline="" className={styles.host} />
      {tip && <TimelineTip hover={tip.hover} model={tip.model} now={run.now()} />}
    </div>
  );
}
