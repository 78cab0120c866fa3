/** The frame of a dialog that lies over the page: title, a way out, and what it is about. */
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useT } from '../i18n/i18n.ts';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { uiMessages } from './messages.en.ts';
import styles from './PageDialog.module.css';

interface PageDialogProps {
  readonly title: string;
  readonly icon?: IconName;
  readonly size?: 'medium' | 'large';
  readonly onClose: () => void;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function PageDialog({ title, icon, size = 'medium', onClose, tools, children }: PageDialogProps) {
  const t = useT();
  return (
    <ModalOverlay className={styles.veil} isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className={cx(styles.modal, styles[size])}>
        <Dialog className={styles.dialog}>
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
