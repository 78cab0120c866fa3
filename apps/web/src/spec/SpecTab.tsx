/** The pod as the API has it, with its status, as YAML. Default export: it is loaded when first looked at. */
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { LazyCodeView } from '../editor/lazy-code-view.ts';
import { useSession } from '../run/node-session.ts';
import { useIsConnected } from '../run/use-run.ts';
import { openEditor } from '../state/interface.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyText.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './SpecTab.module.css';

export default function SpecTab() {
  const { connection } = useSession();
  const connected = useIsConnected();
  const { pod } = useSelectedPod();
  const resourceVersion = readResourceVersion(pod?.object);
  const isGone = pod?.deletedAt !== undefined;
  const { data, error } = useQuery({
    queryKey: ['podYaml', pod?.uid, resourceVersion],
    queryFn: ({ signal }) => connection.command<'getPodYaml'>({ command: 'getPodYaml', namespace: pod?.namespace ?? '', name: pod?.name ?? '' }, signal),
    enabled: connected && pod !== undefined && !isGone,
    placeholderData: (previous) => previous,
  });
  if (!pod) return null;
  if (isGone && !data)
    return (
      <EmptyState icon="file" title="The pod is gone from the API">
        Its timeline, steps and events stay.
      </EmptyState>
    );
  if (!data) {
    return error ? (
      <EmptyState icon="error" title="The pod could not be read">
        {error.message}
      </EmptyState>
    ) : (
      <EmptyState busy title={connected ? 'Reading the pod…' : 'Waiting for the node…'} />
    );
  }
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <span className={styles.note}>
          {isGone ? 'As it was last in the API' : 'As the API has it'}, resource version {resourceVersion ?? '–'}
        </span>
        <Button kind="quiet" icon="edit" onPress={() => openEditor(data.yaml, `${pod.namespace}/${pod.name}`)}>
          Edit
        </Button>
        <CopyButton text={data.yaml} label="Copy YAML" />
      </div>
      <div className={styles.code}>
        <Suspense fallback={<EmptyState busy title="Loading…" />}>
          <LazyCodeView key={pod.uid} label={`YAML of ${pod.name}`} text={data.yaml} readOnly />
        </Suspense>
      </div>
    </div>
  );
}

function readResourceVersion(object: unknown): string | undefined {
  const metadata: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, 'metadata') : undefined;
  const version: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'resourceVersion') : undefined;
  return typeof version === 'string' ? version : undefined;
}
