/** Lists notices about the run in a popover. Default export: loaded when first opened. */
import type { Notice } from '@podscope/protocol';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { translateNotice } from '../../features/snapshot/index.ts';
import { shellMessages } from '../messages.en.ts';
import styles from './NodeNotices.module.css';

interface NodeNoticesProps {
  readonly notices: readonly Notice[];
  /** Text of the button that opens the popover. */
  readonly title: string;
}

export default function NodeNotices({ notices, title }: NodeNoticesProps) {
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
              const text = translateNotice(t, notice);
              return <li key={text}>{text}</li>;
            })}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
