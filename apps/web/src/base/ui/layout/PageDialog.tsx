/** Renders a modal dialog with a title and a close button. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useT } from '../../i18n/i18n.ts';
import { IconButton } from '../fields/Button.tsx';
import { cx } from '../marks/cx.ts';
import { Icon, type IconName } from '../marks/Icon.tsx';
import { uiMessages } from '../messages.en.ts';
import styles from './PageDialog.module.css';

interface PageDialogProps {
  readonly title: string;
  readonly icon?: IconName;
  readonly size?: 'medium' | 'large';
  readonly onClose: () => void;
  /** Controls beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function PageDialog({ title, icon, size = 'medium', onClose, tools, children }: PageDialogProps) {
  const t = useT();
  const dialog = useRef<HTMLElement>(null);
  // When a focused form disappears, the focus falls back to the body and Escape stops working. The dialog takes the
  // focus back.
  useEffect(() => {
    if (!dialog.current) return undefined;
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) dialog.current?.focus();
    });
    observer.observe(dialog.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    <ModalOverlay className={styles.veil} isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className={cx(styles.modal, styles[size])}>
        <Dialog ref={dialog} className={styles.dialog}>
          <header className={styles.head}>
            {icon && <Icon name={icon} />}
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            {tools}
            <IconButton icon="close" label={t(uiMessages.close)} shortcut="Esc" onPress={onClose} />
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
