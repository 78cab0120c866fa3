/** Shows one step in a row of the tree: breakpoint, state, number, title, decision or results, duration. */
import { formatDuration } from '@podscope/timeline';
import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { formatCountdown } from '../../base/ui/text/format.ts';
import { pointDescription } from '../../node/points/step-text.ts';
import { useExactNow } from '../../node/run/use-now.ts';
import type { StepRow } from '../../node/syncs/step-rows.ts';
import type { SpanOf } from '../../node/syncs/sync-in-view.ts';
import { usePointedAt } from '../../node/view/pointed-at.ts';
import { StepBreakpoint } from '../debug/index.ts';
import { Injected } from '../interventions/index.ts';
import { stepsMessages } from './messages.en.ts';
import styles from './StepTree.module.css';
import { stepTip } from './step-tip.ts';
import { type DescribeOutcome, stepTones, stepWords } from './step-words.ts';

/** A remark on a step, such as a difference from another run. */
export interface StepMark {
  readonly tone: 'extra' | 'different' | 'slower';
  readonly text: string;
}

/** Kinds of spans whose names are shown in a monospace font. */
const codeKinds: ReadonlySet<string> = new Set(['function', 'sync', 'cri', 'docker', 'cni', 'hook']);

interface StepRowViewProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: StepRow;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly hasBreakpoint: boolean;
  /** The shown instant of the other run in a comparison; undefined for the page's own run. */
  readonly clock: number | undefined;
  readonly mark: StepMark | undefined;
  readonly describe: DescribeOutcome;
  readonly spanOf: SpanOf;
}

export function StepRowView({
  id,
  index,
  top,
  row,
  isSelected,
  isActive,
  hasBreakpoint,
  clock,
  mark,
  describe,
  spanOf,
}: StepRowViewProps) {
  const t = useT();
  const { node, level, position, siblings, isOpen } = row;
  const { span } = node;
  const isOpenEnded = span !== undefined && span.end === undefined && clock === undefined;
  const now = useExactNow(isOpenEnded);
  const elapsed = span && formatDuration((span.end ?? clock ?? now) - span.start);
  const { title, subject, state, detail, injected, spoken } = stepWords(t, node, describe, spanOf, elapsed);
  const deadline = isOpenEnded ? span.attributes['deadline'] : undefined;
  const isPointedAt = usePointedAt((at) => at.step === node.point);
  const isQuiet = node.state === 'skipped' || node.state === 'pending' || node.state === 'unreached';
  return (
    <div
      id={id}
      role="treeitem"
      data-index={index}
      data-state={node.state}
      data-inferred={span?.inferred === true ? '' : undefined}
      data-pointed={isPointedAt ? '' : undefined}
      aria-label={mark ? `${spoken}, ${mark.text}` : spoken}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      aria-keyshortcuts={hasBreakpoint ? 'F9' : undefined}
      className={cx(styles.row, styles[node.state], isActive && styles.active, isQuiet && styles.quiet)}
      style={{ transform: `translateY(${top}px)`, '--level': level - 1 } as Record<`--${string}`, number>}
      title={stepTip(pointDescription(t, node.point, node.description), node)}
    >
      <span className={styles.gutter}>{hasBreakpoint && <StepBreakpoint point={node.point} title={title} />}</span>
      <span className={styles.indent} />
      <span className={styles.twisty} data-twisty={isOpen === undefined ? undefined : ''} aria-hidden="true">
        {isOpen !== undefined && (
          <svg viewBox="0 0 12 12" className={cx(styles.chevron, isOpen && styles.open)}>
            <path d="m4.5 2.5 3.5 3.5-3.5 3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
        )}
      </span>
      <span className={styles.shown} aria-hidden="true">
        <span className={styles.mark}>
          <StateMark tone={stepTones[node.state]} size={isQuiet ? 8 : 11} />
        </span>
        {node.number !== undefined && <span className={styles.number}>{node.number}</span>}{' '}
        <span className={cx(styles.title, codeKinds.has(node.kind) && styles.code)}>{title}</span>{' '}
        {subject !== undefined && (
          <code className={styles.subject} title={subject}>
            {subject}
          </code>
        )}{' '}
        {node.state !== 'done' && <span className={styles.state}>{state}</span>} <Injected by={injected} />{' '}
        {mark && <span className={cx(styles.difference, styles[mark.tone])}>{mark.text}</span>}{' '}
        <span className={styles.detail} title={detail}>
          <span className={styles.words}>{detail}</span>
        </span>{' '}
        {typeof deadline === 'number' && (
          <span className={styles.state}>{t(stepsMessages.deadlineIn, { left: formatCountdown(deadline - now) })}</span>
        )}{' '}
        {elapsed !== undefined && <span className={styles.duration}>{elapsed}</span>}
      </span>
    </div>
  );
}
