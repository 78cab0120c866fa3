/** In somebody's frame this stands in place of the top bar: how time passes, and the way to the whole page. */
import { useT } from '../i18n/i18n.ts';
import { Icon } from '../ui/Icon.tsx';
import styles from './EmbedBar.module.css';
import { Mark } from './Mark.tsx';
import { shellMessages as texts } from './messages.en.ts';
import { TimeControl } from './TimeControl.tsx';
import { Live } from './TopBar.tsx';

/** The address of the same view, unframed. */
function wholePage(): string {
  const address = new URL(location.href);
  address.searchParams.delete('embed');
  return address.href;
}

export function EmbedBar() {
  const t = useT();
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
