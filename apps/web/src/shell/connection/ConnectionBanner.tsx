/** Shows why the page is disconnected, and assures the user that no events are lost. */
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { isPageSource } from '../../node/address/address.ts';
import { connectionMessages as texts } from '../../node/connection/messages.en.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useBrowserNow } from '../../node/run/use-now.ts';
import { useConnectionState } from '../../node/run/use-run.ts';
import styles from './ConnectionBanner.module.css';
import { TokenBanner } from './TokenBanner.tsx';

/** Interruptions that are shorter than this aren't shown, in milliseconds. */
const shownAfter = 400;

export function ConnectionBanner() {
  const { connection, run } = useSession();
  const state = useConnectionState();
  const t = useT();
  const now = useBrowserNow(state.phase === 'away');
  if (state.phase === 'catchingUp' && state.from > 0 && state.target - state.from > 2_000) {
    return (
      <div className={styles.info} role="status">
        <Icon name="clock" />
        {t(texts.catchingUp, { count: state.target - state.from })}
      </div>
    );
  }
  if (state.phase !== 'away' || now - state.since < shownAfter) return null;
  // A page without a server has no connection to report on. If its engine fails, the welcome view reports it.
  if (isPageSource && !run.hasBegun) return null;
  if (state.isMoving && !state.refused) {
    return (
      <div className={styles.info} role="status">
        <Icon name="restart" />
        {t(texts.moving)}
      </div>
    );
  }
  if (state.refused) return <TokenBanner />;
  const seconds = state.retryAt === undefined ? 0 : Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  const title = t(run.hasBegun ? texts.lost : texts.none);
  const advice = run.hasBegun ? t(texts.nothingLost, { seq: connection.lastSeq }) : t(texts.isItRunning);
  return (
    <div className={styles.warning} role="alert">
      <Icon name="warning" />
      <span>
        <strong>{title}</strong>
        {/* Screen readers skip the countdown. */}
        <span aria-hidden="true">{seconds > 0 ? t(texts.retryingIn, { seconds }) : t(texts.retrying)}</span>
        {advice}
        {state.reason && <span className={styles.reason}> {state.reason}</span>}
      </span>
      <Button onPress={() => connection.connect()} isDisabled={state.retryAt === undefined}>
        {t(texts.retryNow)}
      </Button>
    </div>
  );
}
