/** Shows the deadline of a held call of an observed kubelet, and the work that waits until the call continues. */
import type { StoppedThread } from '@podscope/protocol';
import { useT } from '../../../base/i18n/i18n.ts';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { formatCountdown } from '../../../base/ui/text/format.ts';
import { useNow } from '../../../node/run/use-now.ts';
import { HoldCountdown } from './HoldCountdown.tsx';
import { useHold } from './hold.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './StopPanel.module.css';

/** Shows, below the reason of the stop, when the hold ends and when the kubelet's call times out. */
export function HoldTimes({ stop }: { readonly stop: StoppedThread }) {
  const hold = useHold(stop);
  const now = useNow(hold?.deadline !== undefined);
  const t = useT();
  if (!hold) return null;
  if (hold.deadline === undefined) return <p className={styles.text}>{t(texts.noDeadline)}</p>;
  return (
    <p className={styles.times}>
      <HoldCountdown stop={stop} />
      <span>{t(texts.deadlineIn, { left: formatCountdown(hold.deadline - now) })}</span>
    </p>
  );
}

/**
 * Lists other calls of the pod that wait, and the pods whose image pulls wait because the kubelet pulls one image at a
 * time.
 */
export function HoldWaiting({ stop }: { readonly stop: StoppedThread }) {
  const waiting = useHold(stop)?.waiting ?? [];
  const t = useT();
  if (waiting.length === 0) return null;
  return (
    <Section title={t(texts.alsoWaiting)} count={waiting.length}>
      <ul className={styles.changes}>
        {waiting.map(({ reason, namespace, pod, what }) => (
          <li key={`${reason} ${namespace}/${pod} ${what}`}>
            <code>{what}</code>
            {reason === 'pod' ? (
              t(texts.samePod)
            ) : (
              <>
                {t(texts.serialPull, { pod: `${namespace}/${pod}` })}{' '}
                <em title={t(texts.inferredTitle)}>{t(texts.inferred)}</em>
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
