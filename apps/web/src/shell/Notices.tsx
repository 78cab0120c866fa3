/** What was just done, at the lower edge, for a moment. */
import { useT } from '../i18n/i18n.ts';
import { dismiss, useInterface } from '../state/interface.ts';
import { IconButton } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/Icon.tsx';
import { shellMessages } from './messages.en.ts';
import styles from './Notices.module.css';

const icons = { success: 'check', error: 'error', info: 'info' } as const;

export function Notices() {
  const t = useT();
  const notices = useInterface((state) => state.notices);
  return (
    <div className={styles.stack} role="status" aria-label={t(shellMessages.messages)}>
      {notices.map(({ id, tone, text }) => (
        <div key={id} className={cx(styles.notice, styles[tone])}>
          <Icon name={icons[tone]} />
          <span className={styles.text}>{text}</span>
          <IconButton icon="close" label={t(shellMessages.dismiss)} onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
