/** Prepares a running pod whose sync changes nothing, to measure the cost of a sync. */
import type { Pod } from '@podscope/k8s';
import type { Tracer } from '@podscope/trace';
import type { PodSyncResult } from '../sync/sync-result.ts';
import { type Release, replayOf } from './conformance.ts';
import type { NodeRecording } from './recording-node.ts';

const containerNames = ['app', 'web', 'db'];

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'settled', namespace: 'default', uid: '00000000-0000-4000-8000-000000000000' },
  spec: {
    containers: containerNames.map((name) => ({
      name,
      image: 'busybox:1.36',
      imagePullPolicy: 'IfNotPresent',
      resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    })),
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    enableServiceLinks: true,
  },
};

/**
 * Starts a pod with three containers. Returns a function that syncs it and changes nothing.
 * @throws Error when that sync would change something
 */
export async function prepareNoopSync(
  release: Release,
  node: NodeRecording,
  tracer: Tracer,
): Promise<() => Promise<PodSyncResult>> {
  const replay = replayOf(
    {
      id: 'noop',
      story: 'noop',
      gates: {},
      pod,
      start: '2026-01-01T00:00:00Z',
      images: ['busybox:1.36'],
      objects: {},
      rounds: [],
    },
    release,
    node,
    tracer,
  );
  await replay.play({ do: 'sync', expect: {} });
  const sync = await replay.prepareSync();
  const { syncResults, syncError } = await sync();
  const done = syncResults.filter(({ action }) => action !== 'ConfigPodSandbox');
  if (done.length > 0 || syncError)
    throw new Error(`the settled pod is not settled: ${JSON.stringify(done)} ${syncError?.message ?? ''}`);
  return sync;
}
