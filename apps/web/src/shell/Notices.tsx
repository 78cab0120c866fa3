/** What was just done, at the lower edge, for a moment. */
import { dismiss, useInterface } from '../state/interface.ts';
import { IconButton } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/Icon.tsx';
import styles from './Notices.module.css';

const icons = { success: 'check', error: 'error', info: 'info' } as const;

export function Notices() {
  const notices = useInterface((state) => state.notices);
  return (
    <div className={styles.stack} role="status" aria-label="Messages">
      {notices.map(({ id, tone, text }) => (
        <div key={id} className={cx(styles.notice, styles[tone])}>
          <Icon name={icons[tone]} />
          <span className={styles.text}>{text}</span>
          <IconButton icon="close" label="Dismiss" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
