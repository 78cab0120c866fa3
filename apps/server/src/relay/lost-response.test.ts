/**
 * Tests a fault after a call that succeeded: Podscope's own kubelet receives an error for a container that runs, finds
 * the container with its next inspection, and starts no other one.
 */
import type { ContractEnvironment } from '@podscope/cri/testing';
import { simulatorOverGrpc } from '@podscope/simulated-runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { type ObservedRelay, observedRelay } from './testing/observed-relay.ts';

let runtime: ContractEnvironment;
let relay: ObservedRelay;
let server: TestServer;

beforeAll(async () => {
  runtime = await simulatorOverGrpc(async (endpoint) => {
    relay = await observedRelay(endpoint);
    return relay;
  });
  server = await startTestServer(['--runtime', relay.endpoint, '--pod-cgroups', 'off']);
});
afterAll(async () => {
  await server?.dispose();
  await runtime?.cleanup();
});

const podShape = z.object({
  metadata: z.object({ uid: z.string() }),
  status: z.object({
    containerStatuses: z
      .array(z.object({ restartCount: z.number(), state: z.object({ running: z.unknown().optional() }) }))
      .optional(),
  }),
});

it('keeps the running container when the response of StartContainer is lost', async () => {
  relay.node.debugger.setFaults('', [
    { at: 'cri.StartContainer', when: 'after', times: 1, fail: { grpc: 'Unavailable', message: 'connection lost' } },
  ]);
  const collection = '/api/v1/namespaces/default/pods';
  const created = await server.request('POST', collection, {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lost' },
      spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '360000'] }] },
    },
  });
  const { uid } = podShape.parse(created.json).metadata;
  const app = async () => {
    const { json } = await server.request('GET', `${collection}/lost`);
    return podShape.safeParse(json).data?.status.containerStatuses?.[0];
  };
  await expect.poll(async () => (await app())?.state.running).toBeDefined();
  expect(await app()).toMatchObject({ restartCount: 0 });

  const events = relay.node.log.after(0).filter(({ pod }) => pod === uid);
  const starts = events.flatMap((event) =>
    event.type === 'spanStarted' && event.point === 'cri.StartContainer' ? [event.span] : [],
  );
  const ends = events.filter((event) => event.type === 'spanEnded' && starts.includes(event.span));
  expect(ends).toMatchObject([{ outcome: 'error', error: { reason: 'Unavailable', message: 'connection lost' } }]);
  expect(relay.node.debugger.state().faults).toMatchObject([{ applied: 1 }]);
  const { containers } = await runtime.runtime.runtime.listContainers(runtime.ctx(), {});
  expect(containers.filter(({ state }) => state === 'CONTAINER_RUNNING')).toHaveLength(1);
});
