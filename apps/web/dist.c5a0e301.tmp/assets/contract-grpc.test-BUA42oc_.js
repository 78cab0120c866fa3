var e=`/** The contract once more, with gRPC between: what the simulator answers arrives whole on the other side of a socket. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCri, serveCri } from '@podscope/cri/grpc';
import { type ContractEnvironment, describeCriContract } from '@podscope/cri/testing';
import { simulatorEnvironment } from './testing/contract-environment.ts';

async function environment(): Promise<ContractEnvironment> {
  const simulated = simulatorEnvironment();
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  const server = await serveCri(simulated.runtime, { listen: \`unix://\${join(folder, 'cri.sock')}\`, ctx: simulated.ctx() });
  const remote = await connectCri(simulated.ctx(), server.endpoint);
  return {
    ...simulated,
    // The simulator writes no files.
    runtime: { ...remote, logs: simulated.runtime.logs },
    async cleanup() {
      await remote.close();
      await server.close();
      await rm(folder, { recursive: true });
      await simulated.cleanup();
    },
  };
}

describeCriContract('simulator over gRPC', environment, { logFiles: false, streams: false, kernel: false, metrics: false });
`;export{e as default};
//# sourceMappingURL=contract-grpc.test-BUA42oc_.js.map