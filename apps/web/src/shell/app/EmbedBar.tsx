/**
 * Renders the bar of an embedded page: time control and a link to the full page. Default export: loaded only in a
 * frame.
 */
import { useEffect } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { offerPlayer } from '../../features/player/index.ts';
import { followsStops, pageAddress, playerHost } from '../../node/address/address.ts';
import { followStops } from '../../node/run/follow-stops.ts';
import { useSession } from '../../node/run/node-session.ts';
import { shellMessages as texts } from '../messages.en.ts';
import { Mark } from '../top-bar/Mark.tsx';
import { TimeControl } from '../top-bar/TimeControl.tsx';
import { Live } from '../top-bar/TopBar.tsx';
import styles from './EmbedBar.module.css';

/** Returns the address of the current view outside the frame, with all panels. */
function wholePage(): string {
  const address = pageAddress();
  address.searchParams.delete('embed');
  address.searchParams.delete('host');
  address.searchParams.delete('stops');
  return address.href;
}

export default function EmbedBar() {
  const t = useT();
  const session = useSession();
  useEffect(() => (followsStops ? followStops(session) : undefined), [session]);
  useEffect(() => (playerHost === undefined || parent === window ? undefined : offerPlayer(playerHost)), []);
  return (
    <footer className={styles.bar}>
      <TimeControl />
      <Live />
      <span className={styles.gap} />
      <a
        className={styles.link}
        href={wholePage()}
        target="_blank"
        rel="noreferrer"
        onClick={({ currentTarget }) => {
          currentTarget.href = wholePage();
        }}
      >
        <Mark />
        {t(texts.openInPodscope)}
        <Icon name="external" size={12} />
      </a>
    </footer>
  );
}
