/** Which container runtime this server drives: Docker where it answers, else the simulator; said why. */

import type { ClusterOptions } from '@podscope/cluster';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim } from '@podscope/dockershim';
import type { NodeConfiguration } from '@podscope/kubelet';
import { background, type Clock, type Context, type Milliseconds, Tracer, withTimeout } from '@podscope/trace';
import type { ServerOptions } from '../cli/options.ts';
import { nodeGrpcProber } from '../os/grpc-prober.ts';
import { nodeHttpProber } from '../os/http-prober.ts';
import { openNodeOS } from '../os/node-os.ts';
import { nodeTcpProber } from '../os/tcp-prober.ts';
import { StartError } from '../start-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { connectRemote, isEndpoint } from './remote-runtime.ts';

/** A runtime, and the machine it runs containers on. */
export interface RealRuntime extends Pick<ClusterOptions, 'containerRuntime' | 'runtimeKind' | 'os' | 'http' | 'tcp' | 'grpc' | 'notices'> {
  readonly runtimeKind: 'docker' | 'cri';
  /** What differs from the facts of this machine. */
  readonly node: Partial<NodeConfiguration>;
}

/** The simulator, which is made with its node. */
interface NoRuntime {
  readonly runtimeKind: 'sim';
  /** Why, when it was not asked for. */
  readonly notices: readonly string[];
}

/**
 * How long Docker has to answer before it counts as absent, in milliseconds. One that is not there says so at once: only a daemon that hangs,
 * or a busy machine, is waited for; and longer where nothing else was asked for.
 */
const answerTimeouts = { auto: 10_000, docker: 30_000 } as const;

/**
 * Connects to the runtime that the options name.
 * @throws StartError when Docker or an endpoint was asked for and does not answer
 */
export async function chooseRuntime(options: ServerOptions, state: StateDirectory, clock: Clock): Promise<RealRuntime | NoRuntime> {
  if (options.runtime === 'sim') return { runtimeKind: 'sim', notices: [] };
  const ctx = background(clock, new Tracer());
  if (isEndpoint(options.runtime)) return connectRemote(ctx, options.runtime, options, state);
  try {
    const patience = answerTimeouts[options.runtime === 'docker' ? 'docker' : 'auto'];
    const runtime = await withTimeout(ctx, patience, (limited) => connect(limited, options, state, patience));
    return await docker(ctx, runtime, state);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (options.runtime === 'docker') throw new StartError(`Docker does not answer: ${reason}`, { cause: error });
    return { runtimeKind: 'sim', notices: [`Docker does not answer (${reason}): pods run in the simulator, which makes no real containers.`] };
  }
}

/** Rejects as soon as the time is over, also when the connection goes on trying. */
async function connect(
  ctx: Context,
  { sandboxImage, network, profile }: ServerOptions,
  state: StateDirectory,
  patience: Milliseconds,
): Promise<ContainerRuntime> {
  const connecting = createDockershim(ctx, { stateDirectory: state.join('dockershim'), instance: state.instance, sandboxImage, release: profile, ...network });
  let onAbort: (() => void) | undefined;
  const expired = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error(`no answer within ${patience / 1_000} seconds`));
    ctx.signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([connecting, expired]);
  } catch (error) {
    // Too late is closed when it comes after all.
    connecting.then((runtime) => runtime.close()).catch(() => undefined);
    throw error;
  } finally {
    if (onAbort) ctx.signal.removeEventListener('abort', onAbort);
  }
}

async function docker(ctx: Context, containerRuntime: ContainerRuntime, state: StateDirectory): Promise<RealRuntime> {
  const { linux } = await containerRuntime.runtime.runtimeConfig(ctx, {});
  return {
    containerRuntime,
    runtimeKind: 'docker',
    ...(await openNodeOS(state.join('kubelet'))),
    http: nodeHttpProber,
    tcp: nodeTcpProber,
    grpc: nodeGrpcProber,
    node: { cgroupDriver: linux.cgroupDriver === 'SYSTEMD' ? 'systemd' : 'cgroupfs' },
  };
}
