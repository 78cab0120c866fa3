/** Counts down to the end of a held call of an observed kubelet. */
import type { StoppedThread } from '@podscope/protocol';
import { useT } from '../../../base/i18n/i18n.ts';
import { formatClock, formatCountdown } from '../../../base/ui/text/format.ts';
import { useNow } from '../../../node/run/use-now.ts';
import { useHold } from './hold.ts';
import { stopMessages as texts } from './messages.en.ts';

/**
 * Shows the time until the relay releases the call. Renders nothing for a call without a deadline, and for any other
 * stop.
 */
export function HoldCountdown({ stop, className }: { readonly stop: StoppedThread; readonly className?: string }) {
  const hold = useHold(stop);
  const now = useNow(hold?.endsAt !== undefined);
  const t = useT();
  if (hold?.endsAt === undefined) return null;
  const { endsAt, deadline = endsAt } = hold;
  const title = t(texts.holdEndsTitle, { end: formatClock(endsAt, false), deadline: formatClock(deadline, false) });
  return (
    <span role="timer" className={className} title={title}>
      {t(texts.holdEnds, { left: formatCountdown(endsAt - now) })}
    </span>
  );
}
