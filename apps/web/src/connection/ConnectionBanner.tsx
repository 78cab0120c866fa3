/** Says what is wrong while the page is away from its node, and that nothing is lost. */
import { readSource } from '../alone/source-address.ts';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useBrowserNow } from '../run/use-now.ts';
import { useConnectionState } from '../run/use-run.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './ConnectionBanner.module.css';
import { connectionMessages as texts } from './messages.en.ts';

const isPageSource = readSource(location.search, import.meta.env.MODE === 'site').kind === 'page';

/** A connection that is back within this time is not worth a word. */
const patience = 400;

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
  if (state.phase !== 'away' || now - state.since < patience) return null;
  // There is no server to wait for: the middle of the page says why its own engine did not start.
  if (isPageSource && !run.hasBegun) return null;
  if (state.isMoving && !state.refused) {
    return (
      <div className={styles.info} role="status">
        <Icon name="restart" />
        {t(texts.moving)}
      </div>
    );
  }
  const seconds = state.retryAt === undefined ? 0 : Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  const title = t(state.refused ? texts.newToken : run.hasBegun ? texts.lost : texts.none);
  const advice = state.refused ? t(texts.openAgain) : run.hasBegun ? t(texts.nothingLost, { seq: connection.lastSeq }) : t(texts.isItRunning);
  return (
    <div className={styles.warning} role="alert">
      <Icon name="warning" />
      <span>
        <strong>{title}</strong>
        {/* The counting digits are not read out each second. */}
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
