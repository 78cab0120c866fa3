/** Shows a span in one line. A click selects the span. */
import { formatDuration } from '@podscope/timeline';
import { interventionsWithin, type SpanRecord } from '@podscope/trace';
import { useT } from '../../../base/i18n/i18n.ts';
import { cx } from '../../../base/ui/marks/cx.ts';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { selectSpan } from '../../../node/address/view-store.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { Injected, interventionMessages } from '../../interventions/index.ts';
import styles from './SpanLink.module.css';
import { kindName, outcomeName, spanTone } from './span-kinds.ts';

interface SpanLinkProps {
  readonly span: SpanRecord;
  readonly depth?: number;
  readonly isCurrent?: boolean;
  readonly now: number;
}

/** Returns the name of the container that the call concerns, or an empty text. */
const subject = ({ attributes }: SpanRecord): string => {
  const name = attributes['container'];
  return typeof name === 'string' ? name : '';
};

export function SpanLink({ span, depth = 0, isCurrent = false, now }: SpanLinkProps) {
  const t = useT();
  const { run } = useSession();
  const injected = interventionsWithin(span, (id) => run.span(id));
  return (
    <button
      type="button"
      className={cx(styles.link, isCurrent && styles.current)}
      style={{ paddingLeft: `${0.5 + depth * 0.75}rem` }}
      aria-current={isCurrent || undefined}
      title={kindName(t, span.kind)}
      onClick={() => selectSpan(span.id)}
    >
      <SpokenText>
        {`${kindName(t, span.kind)} ${pointTitle(t, span.point, span.title)}: ` +
          [outcomeName(t, span), injected.length > 0 && t(interventionMessages.injected)].filter(Boolean).join(', ')}
      </SpokenText>
      <span className={styles.shown} aria-hidden="true">
        <StateMark tone={spanTone(span)} size={10} />
        <span
          className={cx(
            styles.title,
            (span.kind === 'cri' || span.kind === 'docker' || span.kind === 'function') && styles.code,
          )}
        >
          {pointTitle(t, span.point, span.title)}
        </span>
        <span className={styles.subject}>{subject(span)}</span>
        <Injected by={injected} />
        <span className={styles.duration}>{formatDuration((span.end ?? now) - span.start)}</span>
      </span>
    </button>
  );
}
