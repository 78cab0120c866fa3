/** Asks below the button whether a pod is to go. Default export: it is loaded when first opened. */
import type { PodTrack } from '@podscope/trace';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { askToDelete } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDeletion } from './ConfirmDeletion.tsx';
import styles from './DeletionPopover.module.css';

export default function DeletionPopover({ pod, isTerminating }: { readonly pod: PodTrack; readonly isTerminating: boolean }) {
  return (
    <DialogTrigger isOpen onOpenChange={(open) => !open && askToDelete(undefined)}>
      <Button kind="danger" icon="trash">
        {isTerminating ? 'Delete sooner' : 'Delete'}
      </Button>
      <Popover className={styles.popover} placement="bottom end" offset={6}>
        <Dialog className={styles.dialog} aria-label={`Delete ${pod.name}`}>
          <ConfirmDeletion pod={pod} isTerminating={isTerminating} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
