/** Runs a pod with Podscope's own kubelet through the relay, and reads the pod's calls from the observed node's log. */
import { connectCri } from '@podscope/cri/grpc';
import { testContext } from '@podscope/cri/testing/fake-runtime';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ObservedSimulator, observedSimulator, podShape } from './testing/observed-simulator.ts';

let node: ObservedSimulator;

beforeAll(async () => {
  node = await observedSimulator();
});
afterAll(() => node?.dispose());

/** Returns the pod's successful calls of one method, each with container and attempt, as the page shows them. */
function callsOf(uid: string, method: string): readonly string[] {
  const events = node.relay.node.log.after(0);
  const ended = new Set(
    events.flatMap((event) => (event.type === 'spanEnded' && event.outcome === 'ok' ? event.span : [])),
  );
  return events.flatMap((event) => {
    if (event.type !== 'spanStarted' || event.point !== `cri.${method}` || event.pod !== uid) return [];
    const { container, attempt } = event.attributes;
    return ended.has(event.span) ? [`${String(container)} ${String(attempt)}`] : [];
  });
}

/** Returns the sync of each call of one method. */
function syncsOf(uid: string, method: string) {
  const started = node.relay.node.log.after(0).filter((event) => event.type === 'spanStarted');
  return started.flatMap((call) => {
    const sync = started.find(({ span }) => span === call.parent);
    if (call.point !== `cri.${method}` || call.pod !== uid) return [];
    return [{ thread: call.thread, point: sync?.point, span: sync?.span }];
  });
}

/** Returns the runtime's events about a pod, in the order in which they arrived in a stream that is still open. */
function containerEventsOf(uid: string): readonly string[] {
  const started = node.relay.node.log.after(0).filter((event) => event.type === 'spanStarted');
  const streams = new Set(started.flatMap(({ point, span }) => (point === 'cri.GetContainerEvents' ? [span] : [])));
  return started.flatMap(({ point, pod, parent, title }) =>
    point === 'cri.ContainerEvent' && pod === uid && streams.has(parent ?? 0) ? [title] : [],
  );
}

it('a pod starts, is restarted after its exit and is deleted, and the observed node has each attempt', async () => {
  const collection = '/api/v1/namespaces/default/pods';
  const client = await connectCri(testContext(), node.relay.endpoint);
  const stream = client.runtime.getContainerEvents(testContext(), {})[Symbol.asyncIterator]();
  const first = stream.next();
  const created = await node.server.request('POST', collection, {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        terminationGracePeriodSeconds: 1,
        // The container fails once and then runs. The kubelet applies no back-off to the first restart.
        volumes: [{ name: 'data', emptyDir: {} }],
        containers: [
          {
            name: 'app',
            image: 'busybox:1.36',
            command: ['sh', '-c', 'test -f /data/ran && sleep 360000; touch /data/ran; exit 3'],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      },
    },
  });
  const { uid } = podShape.parse(created.json).metadata;
  const app = async () => {
    const { json } = await node.server.request('GET', `${collection}/web`);
    return podShape.safeParse(json).data?.status.containerStatuses?.[0];
  };
  await expect.poll(app).toMatchObject({ restartCount: 1 });
  await expect.poll(() => callsOf(uid, 'StartContainer')).toEqual(['app 0', 'app 1']);
  expect(callsOf(uid, 'RunPodSandbox')).toHaveLength(1);
  expect(callsOf(uid, 'CreateContainer')).toEqual(['app 0', 'app 1']);
  // Each attempt is part of a sync of its own, on the thread of the pod's worker.
  const syncs = syncsOf(uid, 'StartContainer');
  expect(syncs).toMatchObject([
    { thread: uid, point: 'kubelet.podWorkerLoop' },
    { thread: uid, point: 'kubelet.podWorkerLoop' },
  ]);
  expect(new Set(syncs.map(({ span }) => span)).size).toBe(2);
  expect(syncsOf(uid, 'CreateContainer')).toEqual(syncs);

  await node.server.request('DELETE', `${collection}/web`);
  await expect.poll(async () => (await node.server.request('GET', `${collection}/web`)).status).toBe(404);
  // The kubelet stops leftover sandboxes with its next garbage collection, up to a minute later.
  await expect.poll(() => callsOf(uid, 'StopPodSandbox')).not.toEqual([]);
  expect(new Set(callsOf(uid, 'StopContainer'))).toEqual(new Set(['app 1']));
  const { containers } = await node.runtime.runtime.runtime.listContainers(node.runtime.ctx(), {});
  expect(containers.filter(({ state }) => state === 'CONTAINER_RUNNING')).toEqual([]);
  const { items } = await node.runtime.runtime.runtime.listPodSandbox(node.runtime.ctx(), {});
  expect(items.filter(({ state }) => state === 'SANDBOX_READY')).toEqual([]);
  await first;
  await vi.waitFor(
    () =>
      expect(containerEventsOf(uid)).toEqual(
        expect.arrayContaining(['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT', 'CONTAINER_STOPPED_EVENT']),
      ),
    { timeout: 120_000 },
  );
  await client.close();
});
