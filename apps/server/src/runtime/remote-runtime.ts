/** Any container runtime that speaks CRI on a socket of this machine, as this server's runtime. */
import { CriError, isCriError, ownedRuntimeService } from '@podscope/cri';
import type { RemoteRuntime } from '@podscope/cri/grpc';
import type { NodeConfiguration } from '@podscope/kubelet';
import { remoteStreams } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import type { RuntimeChoice, ServerOptions } from '../cli/options.ts';
import { nodeGrpcProber } from '../os/grpc-prober.ts';
import { nodeHttpProber } from '../os/http-prober.ts';
import { openNodeOS } from '../os/node-os.ts';
import { nodeTcpProber } from '../os/tcp-prober.ts';
import { StartError } from '../start-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { RealRuntime } from './choose-runtime.ts';

/** True for the address of a runtime, false for a kind of one. */
export const isEndpoint = (runtime: RuntimeChoice): runtime is `unix://${string}` => runtime.startsWith('unix://');

/**
 * Connects to the runtime. Pods that others run on it are neither seen nor touched.
 * @throws StartError when nothing answers there
 */
export async function connectRemote(
  ctx: Context,
  endpoint: string,
  { sandboxImage }: Pick<ServerOptions, 'sandboxImage'>,
  state: StateDirectory,
): Promise<RealRuntime> {
  // Loaded when it is needed: most servers never speak gRPC.
  const { connectCri } = await import('@podscope/cri/grpc');
  const remote = await connectCri(ctx, endpoint).catch((error: unknown) => {
    throw error instanceof CriError ? new StartError(error.message, { cause: error }) : error;
  });
  try {
    const { os, notices: ofMachine } = await openNodeOS(state.join('kubelet'));
    return {
      containerRuntime: { ...remote, runtime: ownedRuntimeService(remote.runtime, state.instance), streams: remoteStreams(remote.runtime) },
      runtimeKind: 'cri',
      os,
      http: nodeHttpProber,
      tcp: nodeTcpProber,
      grpc: nodeGrpcProber,
      notices: [...(await notices(ctx, remote, sandboxImage)), ...ofMachine],
      node: await cgroupDriver(ctx, remote),
    };
  } catch (error) {
    await remote.close();
    throw error;
  }
}

async function notices(ctx: Context, { runtime, name }: RemoteRuntime, sandboxImage: string | undefined): Promise<string[]> {
  const { status } = await runtime.status(ctx, {});
  const notReady = status.conditions
    .filter((condition) => !condition.status)
    .map(({ type, reason, message }) => `${name} says ${type} is false: ${message || reason}`);
  return sandboxImage === undefined
    ? notReady
    : [...notReady, `--sandbox-image has no effect: the configuration of ${name} says which image holds its sandboxes.`];
}

/** As the runtime says; older ones (containerd 1) don't, and the node's own setting holds, as with the kubelet. */
async function cgroupDriver(ctx: Context, { runtime }: RemoteRuntime): Promise<Partial<NodeConfiguration>> {
  try {
    const { linux } = await runtime.runtimeConfig(ctx, {});
    return { cgroupDriver: linux.cgroupDriver === 'CGROUPFS' ? 'cgroupfs' : 'systemd' };
  } catch (error) {
    if (isCriError(error, 'Unimplemented')) return {};
    throw error;
  }
}
