/** Lists all actions of the pod's life with their durations: pulls, creations, starts, hooks, stops and removals. */
import { formatDuration } from '@podscope/timeline';
import type { ActivityRecord, PodTrack } from '@podscope/trace';
import { useMemo } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { StateMark, type Tone } from '../../base/ui/marks/StateMark.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { selectSpan, spanOf, useView } from '../../node/address/view-store.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import type { RunStore } from '../../node/run/run-store.ts';
import { useExactNow } from '../../node/run/use-now.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import styles from './cells.module.css';
import { tableMessages as texts } from './messages.en.ts';

interface ActionRow {
  readonly action: ActivityRecord;
  /** The container; for a pull, its image. */
  readonly subject: string;
}

/** Returns the actions on the sandbox and the containers, in order of their starts. */
function actionsOf({ sandbox, containers }: PodTrack): readonly ActionRow[] {
  const rows = [sandbox, ...containers].flatMap(({ name, type, activities }) =>
    activities.map(
      (action): ActionRow => ({
        action,
        subject: type === 'sandbox' ? '' : action.kind === 'pull' && action.detail ? action.detail : name,
      }),
    ),
  );
  return rows.toSorted((a, b) => a.action.start - b.action.start || a.action.span - b.action.span);
}

const tones: Readonly<Record<NonNullable<ActivityRecord['outcome']>, Tone>> = {
  ok: 'done',
  error: 'error',
  canceled: 'terminating',
};

/** Shows the duration of an action that isn't over. */
function Elapsed({ start }: { readonly start: number }) {
  return formatDuration(useExactNow(true) - start);
}

function columnsIn(t: typeof translate, run: RunStore): readonly Column<ActionRow>[] {
  const titleOf = ({ span, kind }: ActivityRecord): string => {
    const record = run.span(span);
    return record ? pointTitle(t, record.point, record.title) : kind;
  };
  return [
    { id: 'time', title: t(texts.time), width: '6.75rem', cell: ({ action }) => formatClock(action.start) },
    {
      id: 'action',
      title: t(texts.action),
      width: 'minmax(8rem, 1fr)',
      cell: ({ action }) => (
        <span className={styles.marked}>
          <StateMark tone={action.outcome ? tones[action.outcome] : 'progressing'} size={10} />
          {titleOf(action)}
        </span>
      ),
    },
    {
      id: 'of',
      title: t(texts.of),
      width: 'minmax(6rem, 1.4fr)',
      cell: ({ subject }) => subject && <code title={subject}>{subject}</code>,
    },
    {
      id: 'outcome',
      title: t(texts.outcome),
      width: 'minmax(6rem, 2fr)',
      isSpare: true,
      cell: ({ action: { outcome, span } }) => {
        if (outcome === undefined) return t(texts.inProgress);
        if (outcome !== 'error') return t(outcome === 'ok' ? texts.succeeded : texts.canceled);
        const error = run.span(span)?.error;
        return (
          <span className={styles.bad} title={error?.message}>
            {error?.message || error?.reason || t(texts.error)}
          </span>
        );
      },
    },
    {
      id: 'duration',
      title: t(texts.duration),
      width: '5.5rem',
      align: 'end',
      cell: ({ action: { start, end } }) =>
        end === undefined ? <Elapsed start={start} /> : formatDuration(end - start),
    },
  ];
}

export function ActionList() {
  const t = useT();
  const { run } = useSession();
  const versioned = useSelectedPod();
  const selected = useView((view) => spanOf(view.selected));
  const rows = useMemo(() => (versioned.pod ? actionsOf(versioned.pod) : []), [versioned]);
  const columns = useMemo(() => columnsIn(t, run), [t, run]);
  return (
    <DataTable
      label={t(texts.actions)}
      columns={columns}
      rows={rows}
      rowKey={({ action }) => action.span}
      isSelected={({ action }) => action.span === selected}
      onSelect={({ action }) => selectSpan(action.span)}
      followEnd
      empty={
        <EmptyState icon="table" title={t(texts.noActions)}>
          {t(texts.noActionsNote)}
        </EmptyState>
      }
    />
  );
}
