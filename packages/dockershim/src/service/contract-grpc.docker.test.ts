/** Runs the contract suite through gRPC, with logs read from the files that dockershim writes, as kubelets do. */
import { join } from 'node:path';
import { connectCri, serveCri } from '@podscope/cri/grpc';
import { type ContractEnvironment, describeCriContract } from '@podscope/cri/testing';
import { remoteStreams } from '@podscope/streaming';
import { dockershimEnvironment } from '../testing/contract-environment.ts';

async function environment(): Promise<ContractEnvironment> {
  const direct = await dockershimEnvironment();
  const { shim } = direct;
  const server = await serveCri(shim.runtime, {
    listen: `unix://${join(shim.stateDirectory, 'cri.sock')}`,
    ctx: shim.ctx,
  });
  const runtime = await connectCri(shim.ctx, server.endpoint);
  return {
    ...direct,
    runtime: { ...runtime, streams: remoteStreams(runtime.runtime) },
    logDirectory: join(shim.stateDirectory, 'pod-logs'),
    async cleanup() {
      await runtime.close();
      await server.close();
      await direct.cleanup();
    },
  };
}

describeCriContract('dockershim over gRPC', environment);
