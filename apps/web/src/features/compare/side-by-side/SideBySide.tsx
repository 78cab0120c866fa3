/** Shows two runs at the same instant: their timelines on one axis, and the trees of corresponding syncs. */
import { createTimeline, formatDuration, RunLanes, type Timeline, type TimelineModel } from '@podscope/timeline';
import type { PodTrack, RunFold, SpanRecord, SyncRecord } from '@podscope/trace';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type translate, useT } from '../../../base/i18n/i18n.ts';
import { usePreferences } from '../../../base/preferences/preferences.ts';
import { onThemeChange } from '../../../base/theme/theme.ts';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import { select, selectSpan, spanOf as spanOfItem, useView } from '../../../node/address/view-store.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useExactNow } from '../../../node/run/use-now.ts';
import { useNodeInfo, type VersionedPod } from '../../../node/run/use-run.ts';
import { flowOptionsOf, type StepNode, stepTree, syncRowOf } from '../../../node/syncs/step-tree.ts';
import { latestActing, type SpanOf } from '../../../node/syncs/sync-in-view.ts';
import { useSyncInView } from '../../../node/syncs/use-sync-in-view.ts';
import { useInterface } from '../../../node/view/interface.ts';
import { type StepMark, StepTree, stepStateMessages } from '../../steps/index.ts';
import { useTimelineWords } from '../../timeline/index.ts';
import type { Comparand } from '../comparand.ts';
import { compareMessages } from '../messages.en.ts';
import { useOtherPod } from '../use-other-pod.ts';
import { bothOnAxis, correspondingSync, otherPrefix, type RunOnAxis } from './compared-runs.ts';
import styles from './SideBySide.module.css';
import { type TreeDifference, treeDifferences } from './tree-differences.ts';

function marksOf(
  t: typeof translate,
  differences: ReadonlyMap<string, TreeDifference>,
  [name, other]: readonly [string, string],
): ReadonlyMap<string, StepMark> {
  const markOf = (difference: TreeDifference): StepMark => {
    switch (difference.kind) {
      case 'only':
        return { tone: 'extra', text: t(compareMessages.onlyIn, { name }) };
      case 'state':
        return {
          tone: 'different',
          text: t(compareMessages.stateIn, { name: other, state: t(stepStateMessages[difference.other]) }),
        };
      default:
        return { tone: 'slower', text: t(compareMessages.slowerThan, { name: other }) };
    }
  };
  return new Map([...differences].map(([key, difference]) => [key, markOf(difference)]));
}

/** Minimum length of the initially shown time range, in milliseconds. */
const leastLength = 2_000;

interface AxisProps {
  readonly label: string;
  readonly first: RunOnAxis;
  readonly second: RunOnAxis;
  /** The node's time, up to which the first run lasts if it is live. */
  readonly present: number;
  readonly cursor: number;
  readonly onSelect: (id: string | undefined) => void;
}

/** The timelines of both runs on one axis. */
function Axis({ label, first, second, present, cursor, onSelect }: AxisProps) {
  const words = useTimelineWords();
  const host = useRef<HTMLDivElement>(null);
  const [timeline, setTimeline] = useState<Timeline>();
  const listener = useRef(onSelect);
  useEffect(() => {
    listener.current = onSelect;
  }, [onSelect]);
  useEffect(() => {
    if (!host.current) return undefined;
    const made = createTimeline(host.current, { now: () => Date.now(), label, words });
    made.setMotion(usePreferences.getState().motion);
    const cleanups = [
      onThemeChange(() => made.setTheme()),
      made.on('select', (selection) => listener.current(selection?.id)),
    ];
    setTimeline(made);
    return () => {
      for (const cleanup of cleanups) cleanup();
      made.dispose();
    };
  }, [label, words]);
  useEffect(() => timeline?.setModel(bothOnAxis({ ...first, present }, second)), [timeline, first, second, present]);
  useEffect(() => timeline?.setCursor(cursor), [timeline, cursor]);
  const begun = useRef<Timeline>(undefined);
  useEffect(() => {
    // At first show only the time up to the present, because the other run may be much longer.
    if (!timeline || begun.current === timeline) return;
    begun.current = timeline;
    const length = Math.max(leastLength, (cursor - first.startedAt) * 1.25);
    timeline.setViewport({ start: first.startedAt - length / 40, end: first.startedAt + length });
  }, [timeline, cursor, first]);
  return <div ref={host} data-timeline="" className={styles.axis} />;
}

interface Side {
  readonly name: string;
  readonly pod: PodTrack;
  readonly sync: SyncRecord | undefined;
  readonly roots: readonly StepNode[];
  readonly spanOf: SpanOf;
}

interface SideBySideProps {
  readonly pod: VersionedPod;
  readonly comparand: Comparand;
}

export function SideBySide({ pod: versioned, comparand }: SideBySideProps) {
  const t = useT();
  const { run } = useSession();
  const node = useNodeInfo();
  const words = useTimelineWords();
  const now = useExactNow();
  const { pod } = versioned;
  const sync = useSyncInView(pod);
  const selected = useView((view) => spanOfItem(view.selected));
  const depth = usePreferences(({ stepDepth }) => stepDepth);
  const hideNotRun = usePreferences(({ hideStepsNotRun }) => hideStepsNotRun);
  const [otherSelected, setOtherSelected] = useState<number>();
  const startedAt = pod?.firstTime ?? 0;
  const elapsed = now - startedAt;
  const other = useOtherPod(comparand, pod, elapsed);
  const mine = node?.profile === comparand.node.profile ? t(compareMessages.thisRun) : `kubelet ${node?.profile}`;
  const names: readonly [string, string] = [mine, comparand.name];
  const flows = useMemo(() => [node && flowOptionsOf(node), flowOptionsOf(comparand.node)] as const, [node, comparand]);
  const sides = useMemo(() => {
    const { pod: track } = versioned;
    const spanOf: SpanOf = (id) => run.span(id);
    const otherSpanOf: SpanOf = (id): SpanRecord | undefined => (id === undefined ? undefined : other.fold.span(id));
    const theirs = other.pod && (track && sync ? correspondingSync(track, sync, other.pod) : latestActing(other.pod));
    const [flow, otherFlow] = flows;
    const first: Side | undefined = track && {
      name: mine,
      pod: track,
      sync,
      roots: flow && sync ? syncRowOf(stepTree(flow, sync, spanOf, track)) : [],
      spanOf,
    };
    const second: Side | undefined = other.pod && {
      name: comparand.name,
      pod: other.pod,
      sync: theirs,
      roots: theirs ? syncRowOf(stepTree(otherFlow, theirs, otherSpanOf, other.pod)) : [],
      spanOf: otherSpanOf,
    };
    const [left, right] = [first?.roots ?? [], second?.roots ?? []];
    return { first, second, here: treeDifferences(left, right), there: treeDifferences(right, left) };
    // oxlint-disable-next-line react/preserve-manual-memoization -- the folds change in place, with the versions
  }, [versioned, sync, run, other, flows, mine, comparand]);
  useEffect(() => {
    useInterface.setState({ isTimelineReplaced: true });
    return () => useInterface.setState({ isTimelineReplaced: false });
  }, []);
  const { first, second, here, there } = sides;
  const { newestFold: otherFold, newest: newestOther, startedAt: otherStartedAt } = other;
  const axis = useMemo(() => {
    const { pod: track, version } = versioned;
    if (version < 0 || !track || !newestOther) return undefined;
    const modelOf = (fold: RunFold, { uid }: PodTrack): TimelineModel => new RunLanes(words).model(fold, [uid]);
    return {
      first: { name: mine, model: modelOf(run.history.newest, track), startedAt },
      second: { name: comparand.name, model: modelOf(otherFold, newestOther), startedAt: otherStartedAt },
    };
    // oxlint-disable-next-line react/preserve-manual-memoization -- the folds change in place, with the versions
  }, [versioned, otherFold, newestOther, otherStartedAt, run, words, mine, comparand, startedAt]);
  if (!first) return null;
  const otherLength = (comparand.events.at(-1)?.time ?? otherStartedAt) - otherStartedAt;
  // A run that is played for the comparison is played again, for longer, when this run passes its end.
  const isPastEnd = !comparand.played && elapsed > otherLength;
  const trees = [
    { ...first, marks: marksOf(t, here, names), clock: now },
    second && { ...second, marks: marksOf(t, there, [names[1], names[0]]), clock: other.startedAt + elapsed },
  ];
  return (
    <div className={styles.body}>
      <p className={styles.instant}>
        {t(compareMessages.instant, {
          time: formatDuration(elapsed),
          count: new Set([...here.keys(), ...there.keys()]).size,
        })}
        {isPastEnd && ` ${t(compareMessages.otherEnds, { name: names[1], time: formatDuration(otherLength) })}`}
      </p>
      {axis && (
        <Axis
          label={t(compareMessages.bothTimelines)}
          first={axis.first}
          second={axis.second}
          present={run.liveNow()}
          cursor={now}
          onSelect={(id) => {
            if (id?.startsWith(otherPrefix)) setOtherSelected(spanOfItem(id.slice(otherPrefix.length)));
            else select(id);
          }}
        />
      )}
      <div className={styles.trees}>
        {trees.map((side, index) => (
          <section key={names[index]} className={styles.side} aria-label={names[index]}>
            <h3 className={styles.title}>
              {names[index]}
              {side?.sync && (
                <span className={styles.sync}>
                  {t(compareMessages.syncOf, { number: side.sync.number, last: side.pod.syncs.at(-1)?.number ?? 0 })}
                </span>
              )}
            </h3>
            {side?.sync ? (
              <StepTree
                key={side.pod.uid}
                label={t(compareMessages.stepsIn, { name: side.name, number: side.sync.number })}
                roots={side.roots}
                spanOf={side.spanOf}
                depth={depth}
                hideNotRun={hideNotRun}
                selected={index === 0 ? selected : otherSelected}
                stopped={side.pod.stoppedAt?.span}
                onSelect={(span) =>
                  index === 0 ? (span === undefined ? select(undefined) : selectSpan(span)) : setOtherSelected(span)
                }
                hasBreakpoints={false}
                clock={side.clock}
                marks={side.marks}
              />
            ) : (
              <EmptyState icon="clock" title={t(side ? compareMessages.noSyncYet : compareMessages.notThere)} />
            )}
          </section>
        ))}
      </div>
    </div>
  );
}
