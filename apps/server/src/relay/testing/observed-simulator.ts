/** Starts Podscope's own kubelet on the simulator, with an observed relay between them. */
import type { ContractEnvironment } from '@podscope/cri/testing';
import { simulatorOverGrpc } from '@podscope/simulated-runtime/testing';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { type ObservedRelay, observedRelay } from './observed-relay.ts';

export interface ObservedSimulator {
  readonly runtime: ContractEnvironment;
  readonly relay: ObservedRelay;
  /** The server of the kubelet whose calls go through the relay. */
  readonly server: TestServer;
  dispose(): Promise<void>;
}

export async function observedSimulator(): Promise<ObservedSimulator> {
  const { promise, resolve } = Promise.withResolvers<ObservedRelay>();
  const runtime = await simulatorOverGrpc(async (endpoint) => {
    const relay = await observedRelay(endpoint);
    resolve(relay);
    return relay;
  });
  const relay = await promise;
  const server = await startTestServer(['--runtime', relay.endpoint, '--pod-cgroups', 'off']).catch(async (error) => {
    await runtime.cleanup();
    throw error;
  });
  return {
    runtime,
    relay,
    server,
    async dispose() {
      await server.dispose();
      await runtime.cleanup();
    },
  };
}

/** The members of a pod that tests read from the API. */
export const podShape = z.object({
  metadata: z.object({ uid: z.string() }),
  status: z.object({
    containerStatuses: z
      .array(z.object({ restartCount: z.number(), state: z.object({ running: z.unknown().optional() }) }))
      .optional(),
  }),
});
