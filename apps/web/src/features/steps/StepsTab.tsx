/** Shows one sync: its steps as a tree, or its spans on a time axis. Default export: loaded after the first view. */
import { formatDuration } from '@podscope/timeline';
import type { PodTrack, SpanRecord, SyncRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { IconToggle } from '../../base/ui/fields/Button.tsx';
import { Choice } from '../../base/ui/fields/Choice.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { select, selectSpan, spanOf as spanOfItem, useView } from '../../node/address/view-store.ts';
import { useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useExactNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { shadowRemarks } from '../../node/syncs/shadow-verdict.ts';
import { stepDepths } from '../../node/syncs/step-rows.ts';
import {
  flowOptionsOf,
  type StepNode,
  type StepState,
  stepTree,
  syncRowOf,
  treeWithoutSync,
} from '../../node/syncs/step-tree.ts';
import type { SpanOf } from '../../node/syncs/sync-in-view.ts';
import { useSyncInView } from '../../node/syncs/use-sync-in-view.ts';
import { Waterfall } from '../waterfall/index.ts';
import { depthMessages, shadowMessages, stepStateMessages, stepsMessages } from './messages.en.ts';
import { ShadowChip } from './ShadowChip.tsx';
import styles from './StepsTab.module.css';
import { StepTree } from './StepTree.tsx';
import { SyncSelector } from './SyncSelector.tsx';
import { stepTones } from './step-words.ts';

/**
 * Returns the state of the sync itself, without the spans that caused it. While the sync runs, returns the state of its
 * innermost open step.
 */
function stateOfSync(nodes: readonly StepNode[]): StepState | undefined {
  const [node] = syncRowOf(nodes);
  const innermost = (at: StepNode): StepNode => {
    const open = at.children.findLast(({ span }) => span !== undefined && span.end === undefined);
    return open ? innermost(open) : at;
  };
  return node?.span && node.span.end === undefined ? innermost(node).state : node?.state;
}

/** Returns the message that explains why a pod has no syncs. */
function whyNoSync({ phases, deletedAt, containers }: PodTrack): 'notRun' | 'refused' | 'neverRan' | 'forgotten' {
  if (containers.some(({ attempts }) => attempts.length > 0)) return 'forgotten';
  if (phases.some(({ phase }) => phase === 'Failed')) return 'refused';
  return deletedAt === undefined ? 'notRun' : 'neverRan';
}

function SyncHead({
  pod,
  sync,
  roots,
  spanOf,
}: {
  readonly pod: PodTrack;
  readonly sync: SyncRecord;
  readonly roots: readonly StepNode[];
  readonly spanOf: SpanOf;
}) {
  const t = useT();
  const now = useExactNow(sync.end === undefined);
  const state = stateOfSync(roots) ?? 'done';
  return (
    <>
      <SyncSelector pod={pod} sync={sync} />
      <Chip tone={stepTones[state]}>{t(stepStateMessages[state])}</Chip>
      <span className={styles.time}>
        {formatClock(sync.start)} · {formatDuration((sync.end ?? now) - sync.start)}
      </span>
      <ShadowChip pod={pod} sync={sync} spanOf={spanOf} />
    </>
  );
}

function TreeOptions() {
  const t = useT();
  const depth = usePreferences(({ stepDepth }) => stepDepth);
  const hideNotRun = usePreferences(({ hideStepsNotRun }) => hideStepsNotRun);
  return (
    <>
      <Select
        label={t(stepsMessages.depth)}
        value={depth}
        options={stepDepths.map((id) => ({ id, label: t(depthMessages[id]) }))}
        onChange={(id) => {
          const stepDepth = stepDepths.find((each) => each === id);
          if (stepDepth) setPreference({ stepDepth });
        }}
      />
      <IconToggle
        icon="filter"
        label={t(stepsMessages.hideNotRun)}
        isSelected={hideNotRun}
        onChange={(hideStepsNotRun) => setPreference({ hideStepsNotRun })}
      />
    </>
  );
}

export default function StepsTab() {
  const t = useT();
  const { run } = useSession();
  const node = useNodeInfo();
  const versioned = useSelectedPod();
  const { pod } = versioned;
  const sync = useSyncInView(pod);
  const selected = useView((view) => spanOfItem(view.selected));
  const view = usePreferences(({ stepsView }) => stepsView);
  const depth = usePreferences(({ stepDepth }) => stepDepth);
  const hideNotRun = usePreferences(({ hideStepsNotRun }) => hideStepsNotRun);
  const hasBreakpoints = useDebugState() !== undefined;
  const flow = useMemo(() => node && flowOptionsOf(node), [node]);
  const spanOf = useMemo(
    () =>
      (id: number | undefined): SpanRecord | undefined =>
        run.span(id),
    [run],
  );
  const roots = useMemo(() => {
    const { pod: track } = versioned;
    if (!flow || !track) return [];
    if (sync) return stepTree(flow, sync, spanOf, track);
    return treeWithoutSync(flow, whyNoSync(track) === 'notRun' ? 'pending' : 'unreached');
  }, [versioned, sync, flow, spanOf]);
  const marks = useMemo(() => {
    const remarks = shadowRemarks(roots, spanOf(sync?.span));
    return new Map(
      [...remarks].map(([key, remark]) => [
        key,
        { tone: remark === 'notCalled' ? ('extra' as const) : ('different' as const), text: t(shadowMessages[remark]) },
      ]),
    );
  }, [roots, spanOf, sync, t]);
  if (!pod) return null;
  const noSync = t(stepsMessages[whyNoSync(pod)]);
  const onSelect = (span: number | undefined): void => (span === undefined ? select(undefined) : selectSpan(span));
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        {sync ? (
          <SyncHead pod={pod} sync={sync} roots={roots} spanOf={spanOf} />
        ) : (
          <p className={styles.note}>{noSync}</p>
        )}
        <span className={styles.options}>
          <span className={styles.wide}>
            <Choice
              label={t(stepsMessages.view)}
              value={view}
              options={(['tree', 'waterfall'] as const).map((id) => ({ id, label: t(stepsMessages[id]) }))}
              onChange={(stepsView) => setPreference({ stepsView })}
            />
          </span>
          <span className={styles.narrow}>
            <IconToggle
              icon="waterfall"
              label={t(stepsMessages.waterfall)}
              isSelected={view === 'waterfall'}
              onChange={(on) => setPreference({ stepsView: on ? 'waterfall' : 'tree' })}
            />
          </span>
          {view === 'tree' && <TreeOptions />}
        </span>
      </header>
      {view === 'tree' ? (
        <StepTree
          key={pod.uid}
          label={sync ? t(stepsMessages.stepsOf, { number: sync.number }) : t(stepsMessages.stepsToCome)}
          roots={roots}
          spanOf={spanOf}
          depth={depth}
          hideNotRun={hideNotRun && sync !== undefined}
          selected={selected}
          stopped={pod.stoppedAt?.span}
          onSelect={onSelect}
          hasBreakpoints={hasBreakpoints}
          marks={marks}
        />
      ) : sync ? (
        <Waterfall key={sync.span} sync={sync} pod={versioned} selected={selected} onSelect={onSelect} />
      ) : (
        <EmptyState icon="clock" title={noSync} />
      )}
    </div>
  );
}
