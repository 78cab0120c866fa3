/** The button that deletes a pod; what asks first is loaded with the first press. */
import type { PodTrack } from '@podscope/trace';
import { lazy, memo, Suspense } from 'react';
import { useT } from '../i18n/i18n.ts';
import { useRefusal } from '../run/refusal.ts';
import { useNodeInfo } from '../run/use-run.ts';
import { askToDelete, useInterface } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';
import { podHeaderMessages as texts } from './messages.en.ts';

const DeletionPopover = lazy(() => import('./DeletionPopover.tsx'));

interface DeletePodProps {
  readonly pod: PodTrack;
  readonly isGone: boolean;
  readonly isTerminating: boolean;
}

/** The record of a pod changes in place: what the button reads of it is handed over, so that it renders anew only for that. */
export const DeletePod = memo(({ pod, isGone, isTerminating }: DeletePodProps) => {
  const refusal = useRefusal('present');
  const node = useNodeInfo();
  const t = useT();
  const isOpen = useInterface(({ deleting }) => deleting === pod.uid);
  // A recording has no server that could do it.
  if (isGone || (node?.readOnly && node.kubeconfig === undefined)) return null;
  const button = (
    <Button kind="danger" icon="trash" refusal={refusal} onPress={() => askToDelete(isOpen ? undefined : pod.uid)}>
      {t(isTerminating ? texts.deleteSooner : texts.delete)}
    </Button>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <DeletionPopover pod={pod} isTerminating={isTerminating} />
    </Suspense>
  );
});
