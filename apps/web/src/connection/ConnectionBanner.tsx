/** Says what is wrong while the page is away from its node, and that nothing is lost. */
import { useSession } from '../run/node-session.ts';
import { useBrowserNow } from '../run/use-now.ts';
import { useConnectionState } from '../run/use-run.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import styles from './ConnectionBanner.module.css';

/** A connection that is back within this time is not worth a word. */
const patience = 400;

export function ConnectionBanner() {
  const { connection, run } = useSession();
  const state = useConnectionState();
  const now = useBrowserNow(state.phase === 'away');
  if (state.phase === 'catchingUp' && state.from > 0 && state.target - state.from > 2_000) {
    return (
      <div className={styles.info} role="status">
        <Icon name="clock" />
        Catching up {formatCount(state.target - state.from, 'event')}…
      </div>
    );
  }
  if (state.phase !== 'away' || now - state.since < patience) return null;
  const seconds = state.retryAt === undefined ? 0 : Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  const title = state.refused ? 'The server has a new token' : run.hasBegun ? 'Connection lost' : 'No connection';
  const advice = state.refused
    ? 'It was started again. Open the address that it printed in its terminal.'
    : run.hasBegun
      ? `Nothing is lost: all up to event ${connection.lastSeq.toLocaleString('en')} is here, what follows is caught up.`
      : 'Is the server running? Start it with npx -y pnpm@12 start.';
  return (
    <div className={styles.warning} role="alert">
      <Icon name="warning" />
      <span>
        <strong>{title}</strong>
        {/* The counting digits are not read out each second. */}
        <span aria-hidden="true">{seconds > 0 ? ` — retrying in ${seconds} s. ` : ' — retrying… '}</span>
        {advice}
        {state.reason && <span className={styles.reason}> {state.reason}</span>}
      </span>
      <Button onPress={() => connection.connect()} isDisabled={state.retryAt === undefined}>
        Retry now
      </Button>
    </div>
  );
}
