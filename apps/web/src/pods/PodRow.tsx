/** One pod of the list. Hears only of its own pod, and of the clock. */
import { useStop } from '../debug/use-debug.ts';
import { useT } from '../i18n/i18n.ts';
import { useNow } from '../run/use-now.ts';
import { usePod } from '../run/use-run.ts';
import { showPod } from '../state/view-store.ts';
import { sayStep } from '../steps/step-text.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/Icon.tsx';
import { SpokenText } from '../ui/SpokenText.tsx';
import { StateMark } from '../ui/StateMark.tsx';
import { podMessages as texts } from './messages.en.ts';
import styles from './PodRow.module.css';
import { podRowText } from './pod-row-text.ts';

/** Height in pixels, at a scale of 1. */
export const podRowHeight = 46;

interface PodRowProps {
  readonly id: string;
  readonly uid: string;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
}

export function PodRow({ id, uid, top, height, isSelected }: PodRowProps) {
  const { pod } = usePod(uid);
  const now = useNow(pod?.deletedAt === undefined);
  const stop = useStop(uid);
  const t = useT();
  if (!pod) return null;
  const { description, ready, age, countdown, label } = podRowText(pod, now);
  const { status, tone, restarts, message } = description;
  // Its status says where the pod is; that its worker stands still is said beside it.
  const paused = stop && t(texts.pausedAt, { phase: stop.phase, step: sayStep(t, stop.title) });
  return (
    // Keys are handled by the list.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={cx(styles.row, isSelected && styles.selected, pod.deletedAt !== undefined && styles.gone)}
      style={{ height, transform: `translateY(${top}px)` }}
      title={message}
      onClick={() => showPod(pod)}
    >
      <SpokenText>{paused === undefined ? label : `${label}, ${paused}`}</SpokenText>
      <span className={styles.mark} aria-hidden="true">
        <StateMark tone={stop ? 'stopped' : tone} />
      </span>
      <span className={styles.line} aria-hidden="true">
        <span className={styles.name}>
          {pod.namespace !== 'default' && <span className={styles.namespace}>{pod.namespace}/</span>}
          {pod.name}
        </span>
        <span className={styles.age}>{age}</span>
      </span>
      <span className={styles.line} aria-hidden="true">
        {paused === undefined ? (
          <span className={cx(styles.status, styles[tone])}>{status}</span>
        ) : (
          <span className={cx(styles.status, styles.stopped)} title={stop?.text}>
            {paused}
          </span>
        )}
        <span className={styles.facts}>
          {countdown && (
            <span className={styles.countdown} title={countdown.title}>
              <Icon name="clock" size={11} />
              {countdown.text}
            </span>
          )}
          {restarts > 0 && <span title={t(texts.restarts, { count: restarts })}>↻ {restarts}</span>}
          <span title={t(texts.readyContainers)}>{ready}</span>
        </span>
      </span>
    </div>
  );
}
