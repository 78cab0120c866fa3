/** Renders the confirmation below the delete button. Default export: loaded when first opened. */
import type { PodTrack } from '@podscope/trace';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { askToDelete } from '../../node/view/interface.ts';
import { ConfirmDeletion } from './ConfirmDeletion.tsx';
import styles from './DeletionPopover.module.css';
import { podHeaderMessages as texts } from './messages.en.ts';

export default function DeletionPopover({
  pod,
  isTerminating,
}: {
  readonly pod: PodTrack;
  readonly isTerminating: boolean;
}) {
  const t = useT();
  return (
    <DialogTrigger isOpen onOpenChange={(open) => !open && askToDelete(undefined)}>
      <Button kind="danger" icon="trash">
        {t(isTerminating ? texts.deleteSooner : texts.delete)}
      </Button>
      <Popover className={styles.popover} placement="bottom end" offset={6}>
        <Dialog className={styles.dialog} aria-label={t(texts.deleteNamed, { name: pod.name })}>
          <ConfirmDeletion pod={pod} isTerminating={isTerminating} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
