/** Connects the server to any CRI runtime on a socket of this machine. */
import { CriError, isCriError, ownedRuntimeService } from '@podscope/cri';
import type { RemoteRuntime } from '@podscope/cri/grpc';
import { dockershimFailures, dockershimPoints } from '@podscope/dockershim';
import type { NodeConfiguration } from '@podscope/kubelet';
import { remoteStreams } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import type { RuntimeChoice, ServerOptions } from '../cli/server-options.ts';
import { openNodeOS } from '../os/node-os.ts';
import { nodeGrpcProber } from '../os/probers/grpc-prober.ts';
import { nodeHttpProber } from '../os/probers/http-prober.ts';
import { nodeTcpProber } from '../os/probers/tcp-prober.ts';
import { StartError } from '../start-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { RealRuntime } from './real-runtime.ts';

/** Returns true if the value is the endpoint of a runtime, and false if it is a kind of runtime. */
export const isEndpoint = (runtime: RuntimeChoice): runtime is `unix://${string}` => runtime.startsWith('unix://');

/**
 * Connects to the runtime. Ignores pods that other clients of the runtime have created.
 * @throws StartError if the endpoint doesn't respond
 */
export async function connectRemote(
  ctx: Context,
  endpoint: string,
  { sandboxImage }: Pick<ServerOptions, 'sandboxImage'>,
  state: StateDirectory,
): Promise<RealRuntime> {
  // Import the module on demand, because most servers never use gRPC.
  const { connectCri } = await import('@podscope/cri/grpc');
  const remote = await connectCri(ctx, endpoint, { trace: ctx }).catch((error: unknown) => {
    throw error instanceof CriError ? new StartError(error.message, { cause: error }) : error;
  });
  try {
    const { os, notices: ofMachine } = await openNodeOS(state.join('kubelet'));
    return {
      containerRuntime: {
        ...remote,
        runtime: ownedRuntimeService(remote.runtime, state.instance),
        streams: remoteStreams(remote.runtime),
        // If the runtime is `podscope cri` on Docker, it also emits the spans below CRI calls, and the debugger can
        // stop there.
        ...(remote.isTraced && remote.name === 'docker'
          ? { points: dockershimPoints, failures: dockershimFailures }
          : {}),
      },
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

async function notices(
  ctx: Context,
  { runtime, name }: RemoteRuntime,
  sandboxImage: string | undefined,
): Promise<string[]> {
  const { status } = await runtime.status(ctx, {});
  const notReady = status.conditions
    .filter((condition) => !condition.status)
    .map(({ type, reason, message }) => `${name} says ${type} is false: ${message || reason}`);
  return sandboxImage === undefined
    ? notReady
    : [
        ...notReady,
        `--sandbox-image has no effect: the configuration of ${name} says which image holds its sandboxes.`,
      ];
}

/**
 * Returns the cgroup driver that the runtime reports. Older runtimes (containerd 1) report no driver. For these,
 * returns no setting, so that the node's own setting is used, as in the kubelet.
 */
async function cgroupDriver(ctx: Context, { runtime }: RemoteRuntime): Promise<Partial<NodeConfiguration>> {
  try {
    const { linux } = await runtime.runtimeConfig(ctx, {});
    return { cgroupDriver: linux.cgroupDriver === 'CGROUPFS' ? 'cgroupfs' : 'systemd' };
  } catch (error) {
    if (isCriError(error, 'Unimplemented')) return {};
    throw error;
  }
}
