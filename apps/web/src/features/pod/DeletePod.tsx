/** Renders the delete button. The confirmation is loaded when the button is first pressed. */
import type { PodTrack } from '@podscope/trace';
import { memo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { askToDelete, useInterface } from '../../node/view/interface.ts';
import { podHeaderMessages as texts } from './messages.en.ts';
import styles from './PodHeader.module.css';

const DeletionPopover = lazyPart(() => import('./DeletionPopover.tsx'));

interface DeletePodProps {
  readonly pod: PodTrack;
  readonly isGone: boolean;
  readonly isTerminating: boolean;
}

/**
 * The button receives only the values that it needs, and renders again only when they change. It doesn't receive the
 * pod's record, because the record is updated in place.
 */
export const DeletePod = memo(({ pod, isGone, isTerminating }: DeletePodProps) => {
  const refusal = useRefusal('present');
  const node = useNodeInfo();
  const t = useT();
  const isOpen = useInterface(({ deleting }) => deleting === pod.uid);
  // A recording has no server that could delete the pod. The pods of an observed kubelet come from that kubelet's
  // sources, such as its API server.
  if (isGone || node?.observed || (node?.readOnly && node.kubeconfig === undefined)) return null;
  const name = t(isTerminating ? texts.deleteSooner : texts.delete);
  const button = (
    <Button
      kind="danger"
      icon="trash"
      aria-label={name}
      refusal={refusal}
      onPress={() => askToDelete(isOpen ? undefined : pod.uid)}
    >
      <span className={styles.word}>{name}</span>
    </Button>
  );
  if (!isOpen) return button;
  return <DeletionPopover pod={pod} isTerminating={isTerminating} fallback={button} />;
});
