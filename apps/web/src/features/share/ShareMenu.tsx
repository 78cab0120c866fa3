/** Renders the share menu. Default export: loaded when first opened. */
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { useSession } from '../../node/run/node-session.ts';
import { shareMessages } from './messages.en.ts';
import styles from './ShareMenu.module.css';
import { ShareTrigger } from './ShareTrigger.tsx';
import { shareActions } from './share-actions.ts';

export default function ShareMenu() {
  const session = useSession();
  const t = useT();
  return (
    <MenuTrigger defaultOpen>
      <ShareTrigger />
      <Popover className={styles.popover} offset={4} placement="bottom end">
        <Menu
          className={styles.menu}
          aria-label={t(shareMessages.share)}
          onAction={(key) => void shareActions.find(({ id }) => id === key)?.run(session)}
        >
          {shareActions.map(({ id, title }) => (
            <MenuItem key={id} id={id} className={styles.item}>
              {t(title)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
