/**
 * Chooses the container runtime: Docker if it responds, otherwise the simulator, with a notice that gives the reason.
 */
import { errorMessage } from '@podscope/base';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim } from '@podscope/dockershim';
import { background, type Clock, type Context, type Milliseconds, Tracer, withTimeout } from '@podscope/trace';
import type { ServerOptions } from '../cli/server-options.ts';
import { openNodeOS } from '../os/node-os.ts';
import { nodeGrpcProber } from '../os/probers/grpc-prober.ts';
import { nodeHttpProber } from '../os/probers/http-prober.ts';
import { nodeTcpProber } from '../os/probers/tcp-prober.ts';
import { StartError } from '../start-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { RealRuntime } from './real-runtime.ts';
import { connectRemote, isEndpoint } from './remote-runtime.ts';

/** The choice of the simulator. Its runtime is created later, together with the node. */
interface NoRuntime {
  readonly runtimeKind: 'sim';
  /** The reason for using the simulator, if the user didn't request it. */
  readonly notices: readonly string[];
}

/**
 * The maximum time until Docker responds, in milliseconds. After this time, Docker counts as absent. The time matters
 * only for a hanging daemon or a busy machine, because a connection to a missing daemon fails at once. It is longer if
 * the user requested Docker.
 */
const answerTimeouts = { auto: 10_000, docker: 30_000 } as const;

/**
 * Connects to the runtime that the options name.
 * @param notify receives a message when a runtime's process crashes
 * @throws StartError if Docker or an endpoint was requested and doesn't respond
 */
export async function chooseRuntime(
  options: ServerOptions,
  state: StateDirectory,
  clock: Clock,
  notify: (message: string) => void,
): Promise<RealRuntime | NoRuntime> {
  if (options.runtime === 'sim') return { runtimeKind: 'sim', notices: [] };
  const ctx = background(clock, new Tracer());
  if (isEndpoint(options.runtime)) return connectRemote(ctx, options.runtime, options, state);
  try {
    const timeout = answerTimeouts[options.runtime === 'docker' ? 'docker' : 'auto'];
    const connected = await withTimeout(ctx, timeout, (limited) =>
      within(limited, timeout, connect(limited, options, state, notify)),
    );
    return await docker(connected, state);
  } catch (error) {
    const reason = errorMessage(error);
    if (options.runtime === 'docker') throw new StartError(`Docker does not answer: ${reason}`, { cause: error });
    return {
      runtimeKind: 'sim',
      notices: [`Docker does not answer (${reason}): pods run in the simulator, which makes no real containers.`],
    };
  }
}

/** A connected dockershim, in this process or in a separate one. */
interface Connected {
  readonly containerRuntime: ContainerRuntime;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
}

async function connect(
  ctx: Context,
  { sandboxImage, network, profile, criOverGrpc }: ServerOptions,
  state: StateDirectory,
  notify: (message: string) => void,
): Promise<Connected> {
  const common = {
    stateDirectory: state.join('dockershim'),
    instance: state.instance,
    sandboxImage,
    release: profile,
  } as const;
  if (criOverGrpc) {
    // Import the module on demand, because most servers never use gRPC.
    const { dockershimOverGrpc } = await import('./dockershim-process/connect.ts');
    return dockershimOverGrpc(ctx, { ...common, network }, notify);
  }
  const containerRuntime = await createDockershim(ctx, { ...common, ...network });
  const { linux } = await containerRuntime.runtime.runtimeConfig(ctx, {});
  return { containerRuntime, cgroupDriver: linux.cgroupDriver === 'SYSTEMD' ? 'systemd' : 'cgroupfs' };
}

/** Resolves with the connection. Rejects after the timeout, even if the connection attempt is still in progress. */
async function within(ctx: Context, timeout: Milliseconds, connecting: Promise<Connected>): Promise<Connected> {
  let onAbort: (() => void) | undefined;
  const expired = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error(`no answer within ${timeout / 1_000} seconds`));
    ctx.signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([connecting, expired]);
  } catch (error) {
    // Close a connection that succeeds after the timeout.
    connecting.then(({ containerRuntime }) => containerRuntime.close()).catch(() => undefined);
    throw error;
  } finally {
    if (onAbort) ctx.signal.removeEventListener('abort', onAbort);
  }
}

async function docker({ containerRuntime, cgroupDriver }: Connected, state: StateDirectory): Promise<RealRuntime> {
  return {
    containerRuntime,
    runtimeKind: 'docker',
    ...(await openNodeOS(state.join('kubelet'))),
    http: nodeHttpProber,
    tcp: nodeTcpProber,
    grpc: nodeGrpcProber,
    node: { cgroupDriver },
  };
}
