/** The button that deletes a pod; what asks first is loaded with the first press. */
import type { PodTrack } from '@podscope/trace';
import { lazy, Suspense } from 'react';
import { deletionDeadline } from '../pods/pod-row-text.ts';
import { useIsConnected } from '../run/use-run.ts';
import { askToDelete, useInterface } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';

const DeletionPopover = lazy(() => import('./DeletionPopover.tsx'));

export function DeletePod({ pod }: { readonly pod: PodTrack }) {
  const connected = useIsConnected();
  const isOpen = useInterface(({ deleting }) => deleting === pod.uid);
  if (pod.deletedAt !== undefined) return null;
  const isTerminating = deletionDeadline(pod) !== undefined;
  const button = (
    <Button kind="danger" icon="trash" isDisabled={!connected} onPress={() => askToDelete(isOpen ? undefined : pod.uid)}>
      {isTerminating ? 'Delete sooner' : 'Delete'}
    </Button>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <DeletionPopover pod={pod} isTerminating={isTerminating} />
    </Suspense>
  );
}
