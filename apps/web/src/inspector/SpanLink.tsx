/** A span in a line; selects it. */
import { interventionsWithin, type SpanRecord } from '@podscope/trace';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { selectSpan } from '../state/view-store.ts';
import { sayStep } from '../steps/step-text.ts';
import { cx } from '../ui/cx.ts';
import { formatDuration } from '../ui/format.ts';
import { uiMessages } from '../ui/messages.en.ts';
import { SpokenText } from '../ui/SpokenText.tsx';
import { StateMark } from '../ui/StateMark.tsx';
import { Injected } from './Injected.tsx';
import styles from './SpanLink.module.css';
import { kindName, outcomeName, spanTone } from './span-kinds.ts';

interface SpanLinkProps {
  readonly span: SpanRecord;
  readonly depth?: number;
  readonly isCurrent?: boolean;
  readonly now: number;
}

/** What the call is about, when its attributes tell: the container. */
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
      <SpokenText>{`${kindName(t, span.kind)} ${sayStep(t, span.title)}: ${[outcomeName(t, span), injected.length > 0 && t(uiMessages.injected)].filter(Boolean).join(', ')}`}</SpokenText>
      <span className={styles.shown} aria-hidden="true">
        <StateMark tone={spanTone(span)} size={10} />
        <span className={cx(styles.title, (span.kind === 'cri' || span.kind === 'docker' || span.kind === 'function') && styles.code)}>
          {sayStep(t, span.title)}
        </span>
        <span className={styles.subject}>{subject(span)}</span>
        <Injected by={injected} />
        <span className={styles.duration}>{formatDuration((span.end ?? now) - span.start)}</span>
      </span>
    </button>
  );
}
