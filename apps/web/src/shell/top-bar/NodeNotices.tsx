/** Lists notices about the run in a popover. Default export: loaded when first opened. */
import type { Notice } from '@podscope/protocol';
import type { RefObject } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { translateNotice } from '../../features/snapshot/index.ts';
import { shellMessages } from '../messages.en.ts';
import styles from './NodeNotices.module.css';

interface NodeNoticesProps {
  readonly notices: readonly Notice[];
  /** The button that opened the popover. It gets the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export default function NodeNotices({ notices, button, onClose }: NodeNoticesProps) {
  const t = useT();
  return (
    <Popover
      className={styles.popover}
      triggerRef={button}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      offset={4}
      placement="bottom start"
    >
      <Dialog className={styles.notices} aria-label={t(shellMessages.notices)}>
        <ul>
          {notices.map((notice) => {
            const text = translateNotice(t, notice);
            return <li key={text}>{text}</li>;
          })}
        </ul>
      </Dialog>
    </Popover>
  );
}
