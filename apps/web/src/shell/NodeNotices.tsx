/** What the person who looks should know of this run, in a popover. Default export: loaded when first opened. */
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useT } from '../i18n/i18n.ts';
import { sayNotice } from '../snapshot/say-notice.ts';
import { Button } from '../ui/Button.tsx';
import { shellMessages } from './messages.en.ts';
import styles from './NodeNotices.module.css';
import type { NoticesProps } from './NoticesButton.tsx';

export default function NodeNotices({ notices, title }: NoticesProps & { readonly title: string }) {
  const t = useT();
  return (
    <DialogTrigger defaultOpen>
      <Button kind="quiet" icon="info">
        {title}
      </Button>
      <Popover className={styles.popover} offset={4} placement="bottom start">
        <Dialog className={styles.notices} aria-label={t(shellMessages.notices)}>
          <ul>
            {notices.map((notice) => {
              const text = sayNotice(t, notice);
              return <li key={text}>{text}</li>;
            })}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
