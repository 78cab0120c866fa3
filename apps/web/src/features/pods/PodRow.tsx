/** Shows one pod of the list. Renders again only when this pod or the clock changes. */

import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { MiddleText } from '../../base/ui/text/MiddleText.tsx';
import { showPod } from '../../node/address/view-store.ts';
import { useStop } from '../../node/debugger/use-debug.ts';
import { podTextMessages } from '../../node/pods/messages.en.ts';
import { podRowText } from '../../node/pods/pod-row-text.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { useNow } from '../../node/run/use-now.ts';
import { usePod } from '../../node/run/use-run.ts';
import { podMessages as texts } from './messages.en.ts';
import styles from './PodRow.module.css';

/** Row height in pixels, at a scale of 1. */
export const podRowHeight = 46;

/** Height of a row with a namespace. */
export const tallPodRowHeight = 62;

interface PodRowProps {
  readonly id: string;
  readonly uid: string;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
  /** True for a row that shows the namespace on a separate line. */
  readonly hasNamespace: boolean;
}

export function PodRow({ id, uid, top, height, isSelected, hasNamespace }: PodRowProps) {
  const { pod } = usePod(uid);
  const now = useNow(pod?.deletedAt === undefined);
  const stop = useStop(uid);
  const t = useT();
  if (!pod) return null;
  const { description, ready, age, countdown, label } = podRowText(pod, now);
  const { status, tone, restarts, message } = description;
  // The status describes only the pod, so a stop of its worker is shown separately.
  const paused = stop && t(texts.pausedAt, { phase: stop.phase, step: pointTitle(t, stop.point, stop.title) });
  return (
    // The list handles keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={cx(
        styles.row,
        isSelected && styles.selected,
        hasNamespace && styles.tall,
        pod.deletedAt !== undefined && styles.gone,
      )}
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
          <MiddleText>{pod.name}</MiddleText>
        </span>
        <span className={styles.age}>{age}</span>
      </span>
      {hasNamespace && (
        <span className={cx(styles.line, styles.namespace)} aria-hidden="true">
          <MiddleText>{pod.namespace}</MiddleText>
        </span>
      )}
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
          {restarts > 0 && <span title={t(podTextMessages.restarts, { count: restarts })}>↻ {restarts}</span>}
          <span title={t(texts.readyContainers)}>{ready}</span>
        </span>
      </span>
    </div>
  );
}
