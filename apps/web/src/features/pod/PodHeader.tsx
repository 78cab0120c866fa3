/** Shows the selected pod, its status and its actions above the timeline. */
import type { PodTrack } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { MiddleText } from '../../base/ui/text/MiddleText.tsx';
import { podTextMessages } from '../../node/pods/messages.en.ts';
import { deletionDeadline, podRowText } from '../../node/pods/pod-row-text.ts';
import { useNow } from '../../node/run/use-now.ts';
import { usePod } from '../../node/run/use-run.ts';
import { DeletePod } from './DeletePod.tsx';
import { podHeaderMessages as texts } from './messages.en.ts';
import styles from './PodHeader.module.css';

export function PodHeader({ pod: { uid } }: { readonly pod: PodTrack }) {
  const { pod } = usePod(uid);
  const now = useNow(pod?.deletedAt === undefined);
  const t = useT();
  if (!pod) return null;
  const { description, ready, age, countdown } = podRowText(pod, now);
  const { status, tone, restarts, message, backOff } = description;
  return (
    <header className={styles.header}>
      <h1 className={styles.name} aria-label={`${pod.namespace}/${pod.name}`}>
        {pod.namespace !== 'default' && (
          <span className={styles.namespace}>
            <MiddleText>{pod.namespace}</MiddleText>
            <span>/</span>
          </span>
        )}
        <span className={styles.own}>
          <MiddleText>{pod.name}</MiddleText>
        </span>
      </h1>
      <span className={styles.status} title={status}>
        <Chip tone={tone}>{status}</Chip>
      </span>
      {countdown && (
        <span className={styles.countdown} title={countdown.title}>
          <Icon name="clock" size={13} />
          {backOff && tone !== 'terminating' ? (
            <span>
              {countdown.isDue ? t(texts.nextTryDue) : t(texts.nextTryIn, { time: countdown.text })}
              <span className={styles.extra}> {t(texts.backOff, { seconds: backOff.seconds })}</span>
            </span>
          ) : (
            countdown.text
          )}
        </span>
      )}
      <span className={styles.facts}>
        {t(podTextMessages.ready, { ready })}
        {restarts > 0 && ` · ${t(podTextMessages.restarts, { count: restarts })}`} · {age}
      </span>
      <span className={styles.message} title={message}>
        {message}
      </span>
      <span className={styles.action} data-noise="">
        <DeletePod pod={pod} isGone={pod.deletedAt !== undefined} isTerminating={deletionDeadline(pod) !== undefined} />
      </span>
    </header>
  );
}
