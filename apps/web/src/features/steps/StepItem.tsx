/** Shows one step: number, state and result. */
import { interventionsWithin } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { StateMark, type Tone } from '../../base/ui/marks/StateMark.tsx';
import { formatDuration } from '../../base/ui/text/format.ts';
import { select, selectSpan, spanOf, useView } from '../../node/address/view-store.ts';
import { pointDescription, pointTitle } from '../../node/points/step-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import type { StepState, StepView } from '../../node/syncs/steps-model.ts';
import { usePointedAt } from '../../node/view/pointed-at.ts';
import { StepBreakpoint } from '../debug/index.ts';
import { Injected, interventionMessages } from '../interventions/index.ts';
import { useStepDescription } from './describe-step.ts';
import { stepStateMessages, stepsMessages } from './messages.en.ts';
import styles from './StepItem.module.css';
import { SyncResultLine } from './SyncResultLine.tsx';

const tones: Readonly<Record<StepState, Tone>> = {
  done: 'done',
  failed: 'error',
  postponed: 'waiting',
  canceled: 'terminating',
  running: 'progressing',
  stopped: 'stopped',
  skipped: 'skipped',
  pending: 'pending',
  unreached: 'skipped',
};

export function StepItem({ step, now }: { readonly step: StepView; readonly now: number }) {
  const t = useT();
  const { run } = useSession();
  const { definition, state, span, results } = step;
  const isSelected = useView((view) => span !== undefined && spanOf(view.selected) === span.id);
  const isPointedAt = usePointedAt((at) => at.step === definition.id);
  const isQuiet = state === 'skipped' || state === 'pending' || state === 'unreached';
  const detail = useStepDescription(step);
  const injected = interventionsWithin(span, (id) => run.span(id));
  const title = pointTitle(t, definition.id, definition.title);
  const spoken = [detail, injected.length > 0 && t(interventionMessages.injected)].filter(Boolean).join(', ');
  return (
    <li className={cx(styles.item, styles[state])} data-pointed={isPointedAt ? '' : undefined}>
      <span className={styles.rail} aria-hidden="true">
        <span className={styles.node}>
          <StateMark tone={tones[state]} size={isQuiet ? 8 : 12} />
        </span>
      </span>
      <div className={styles.main}>
        <StepBreakpoint point={definition.id} title={title} />
        <button
          type="button"
          className={cx(styles.button, isSelected && styles.selected)}
          aria-pressed={isSelected}
          disabled={span === undefined}
          title={pointDescription(t, definition.id, definition.description)}
          onClick={() => (isSelected ? select(undefined) : span && selectSpan(span.id))}
        >
          <SpokenText>
            {t(spoken ? stepsMessages.spokenDetail : stepsMessages.spoken, {
              step: definition.step,
              title,
              state: t(stepStateMessages[state]),
              detail: spoken,
            })}
          </SpokenText>
          <span className={styles.shown} aria-hidden="true">
            <span className={styles.number}>{definition.step}</span>
            <span className={styles.title}>{title}</span>
            <span className={styles.state}>{t(stepStateMessages[state])}</span>
            <Injected by={injected} />
            {detail && (
              <span className={styles.detail}>
                <span className={styles.words}>{detail}</span>
              </span>
            )}
            {span && <span className={styles.duration}>{formatDuration((span.end ?? now) - span.start)}</span>}
          </span>
        </button>
        {(span?.error || results.length > 0) && (
          <div className={styles.results}>
            {span?.error && results.every(({ error }) => error === undefined) && (
              <p className={styles.error}>
                <strong>{span.error.reason}</strong> {span.error.message}
              </p>
            )}
            {results.map((result) => (
              <SyncResultLine key={result.seq} result={result} />
            ))}
          </div>
        )}
      </div>
    </li>
  );
}
