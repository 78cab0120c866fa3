/** Deletes a pod, after asking how long it may take to go. */
import type { PodTrack } from '@podscope/trace';
import { lazy, Suspense } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { deletionDeadline } from '../pods/pod-row-text.ts';
import { useIsConnected } from '../run/use-run.ts';
import { askToDelete, useInterface } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';
import styles from './DeletePod.module.css';

const ConfirmDeletion = lazy(() => import('./ConfirmDeletion.tsx'));

export function DeletePod({ pod }: { readonly pod: PodTrack }) {
  const connected = useIsConnected();
  const isOpen = useInterface(({ deleting }) => deleting === pod.uid);
  const isTerminating = deletionDeadline(pod) !== undefined;
  if (pod.deletedAt !== undefined) return null;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={(open) => askToDelete(open ? pod.uid : undefined)}>
      <Button kind="danger" icon="trash" isDisabled={!connected}>
        {isTerminating ? 'Delete sooner' : 'Delete'}
      </Button>
      <Popover className={styles.popover} placement="bottom end" offset={6}>
        <Dialog className={styles.dialog} aria-label={`Delete ${pod.name}`}>
          <Suspense>
            <ConfirmDeletion pod={pod} isTerminating={isTerminating} />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
