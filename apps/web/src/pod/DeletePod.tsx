/** The button that deletes a pod; what asks first is loaded with the first press. */
import type { PodTrack } from '@podscope/trace';
import { lazy, Suspense } from 'react';
import { useT } from '../i18n/i18n.ts';
import { deletionDeadline } from '../pods/pod-row-text.ts';
import { useRefusal } from '../run/refusal.ts';
import { useNodeInfo } from '../run/use-run.ts';
import { askToDelete, useInterface } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';
import { podHeaderMessages as texts } from './messages.en.ts';

const DeletionPopover = lazy(() => import('./DeletionPopover.tsx'));

export function DeletePod({ pod }: { readonly pod: PodTrack }) {
  const refusal = useRefusal('present');
  const node = useNodeInfo();
  const t = useT();
  const isOpen = useInterface(({ deleting }) => deleting === pod.uid);
  // A recording has no server that could do it.
  if (pod.deletedAt !== undefined || (node?.readOnly && node.kubeconfig === undefined)) return null;
  const isTerminating = deletionDeadline(pod) !== undefined;
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
}
