/**
 * Tests a fault after a call that succeeded: Podscope's own kubelet receives an error for a container that runs, finds
 * the container with its next inspection, and starts no other one.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ObservedSimulator, observedSimulator, podShape } from './testing/observed-simulator.ts';

let node: ObservedSimulator;

beforeAll(async () => {
  node = await observedSimulator();
});
afterAll(() => node?.dispose());

it('keeps the running container when the response of StartContainer is lost', async () => {
  node.relay.node.debugger.setFaults('', [
    { at: 'cri.StartContainer', when: 'after', times: 1, fail: { grpc: 'Unavailable', message: 'connection lost' } },
  ]);
  const collection = '/api/v1/namespaces/default/pods';
  const created = await node.server.request('POST', collection, {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lost' },
      spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '360000'] }] },
    },
  });
  const { uid } = podShape.parse(created.json).metadata;
  const app = async () => {
    const { json } = await node.server.request('GET', `${collection}/lost`);
    return podShape.safeParse(json).data?.status.containerStatuses?.[0];
  };
  await expect.poll(async () => (await app())?.state.running).toBeDefined();
  expect(await app()).toMatchObject({ restartCount: 0 });

  const events = node.relay.node.log.after(0).filter(({ pod }) => pod === uid);
  const starts = events.flatMap((event) =>
    event.type === 'spanStarted' && event.point === 'cri.StartContainer' ? [event.span] : [],
  );
  const ends = events.filter((event) => event.type === 'spanEnded' && starts.includes(event.span));
  expect(ends).toMatchObject([{ outcome: 'error', error: { reason: 'Unavailable', message: 'connection lost' } }]);
  expect(node.relay.node.debugger.state().faults).toMatchObject([{ applied: 1 }]);
  const { containers } = await node.runtime.runtime.runtime.listContainers(node.runtime.ctx(), {});
  expect(containers.filter(({ state }) => state === 'CONTAINER_RUNNING')).toHaveLength(1);
});

it('removes the container at the end, though the clock of its runtime runs ahead', async () => {
  await node.server.stop();
  const { containers } = await node.runtime.runtime.runtime.listContainers(node.runtime.ctx(), {});
  expect(containers).toEqual([]);
});
