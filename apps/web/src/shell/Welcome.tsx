/** What the middle of the page says while no pod is in view. */
import { useConnectionState, useNodeInfo, usePodUids } from '../run/use-run.ts';
import { openEditor } from '../state/interface.ts';
import { useView } from '../state/view-store.ts';
import { Button } from '../ui/Button.tsx';
import { CopyText } from '../ui/CopyText.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './Welcome.module.css';

export function Welcome() {
  const { phase } = useConnectionState();
  const node = useNodeInfo();
  const uids = usePodUids();
  const wanted = useView(({ pod }) => pod);
  if (!node) {
    return phase === 'connecting' ? (
      <EmptyState heading="h1" busy title="Connecting to the node…" />
    ) : (
      <EmptyState heading="h1" icon="warning" title="The node does not answer">
        Start it with <code>npx -y pnpm@12 start</code> and open the address that it prints. This page keeps trying.
      </EmptyState>
    );
  }
  if (phase === 'catchingUp') return <EmptyState heading="h1" busy title="Reading what happened so far…" />;
  if (wanted !== undefined) {
    return (
      <EmptyState heading="h1" icon="search" title={`There is no pod ${wanted}`}>
        The link may be of another run. Select a pod on the left.
      </EmptyState>
    );
  }
  if (uids.length > 0)
    return (
      <EmptyState heading="h1" title="Select a pod">
        Its timeline, the steps of its syncs, results, events and logs appear here.
      </EmptyState>
    );
  return (
    <EmptyState heading="h1" title="No pods yet">
      <div className={styles.welcome}>
        <p>Write one here, take a template, or drop a manifest on this page.</p>
        <Button kind="primary" icon="plus" onPress={() => openEditor()}>
          New pod
        </Button>
        {node.kubeconfig !== undefined && (
          <>
            <p>Or use kubectl:</p>
            <CopyText text={`kubectl --kubeconfig ${node.kubeconfig} apply -f pod.yaml`} label="Copy the command" />
          </>
        )}
      </div>
    </EmptyState>
  );
}
