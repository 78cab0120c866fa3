/** Shows notices at the lower edge of the page. */
import { useT } from '../../base/i18n/i18n.ts';
import { dismiss, useNotices } from '../../base/notices/notices.ts';
import { IconButton } from '../../base/ui/fields/Button.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { shellMessages } from '../messages.en.ts';
import styles from './Notices.module.css';

const icons = { success: 'check', error: 'error', info: 'info' } as const;

export function Notices() {
  const t = useT();
  const notices = useNotices();
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
