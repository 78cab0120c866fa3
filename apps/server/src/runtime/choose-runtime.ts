/** Which container runtime this server drives: Docker where it answers, else the simulator; said why. */

import type { ClusterOptions } from '@podscope/cluster';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim } from '@podscope/dockershim';
import type { NodeConfiguration } from '@podscope/kubelet';
import { MemoryOS } from '@podscope/kuberuntime';
import { simulatedNode, simulatedNodeIp, TimeDriver } from '@podscope/simulation';
import { createRandom, createSimulator } from '@podscope/simulator';
import { background, type Clock, type Context, Tracer, VirtualClock, withTimeout } from '@podscope/trace';
import type { ServerOptions } from '../cli/options.ts';
import { nodeGrpcProber } from '../os/grpc-prober.ts';
import { nodeHttpProber } from '../os/http-prober.ts';
import { openNodeOS } from '../os/node-os.ts';
import { nodeTcpProber } from '../os/tcp-prober.ts';
import { cryptoRandom } from '../security/token.ts';
import { StartError } from '../start-error.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { connectRemote, isEndpoint } from './remote-runtime.ts';

/** A runtime, and the machine it runs containers on. */
export interface ChosenRuntime extends Pick<ClusterOptions, 'containerRuntime' | 'runtimeKind' | 'os' | 'http' | 'tcp' | 'grpc' | 'notices'> {
  /** What differs from the facts of this machine. */
  readonly node: Partial<NodeConfiguration>;
  /** The simulator's own time; absent where time is real. */
  readonly virtual?: { readonly clock: VirtualClock; readonly time: TimeDriver };
}

/** How long Docker has to answer before it counts as absent, in milliseconds. */
const answerTimeout = 2_000;

/**
 * Connects to the runtime that the options name.
 * @throws StartError when Docker or an endpoint was asked for and does not answer
 */
export async function chooseRuntime(options: ServerOptions, state: StateDirectory, clock: Clock): Promise<ChosenRuntime> {
  if (options.runtime === 'sim') return simulator(options, clock, []);
  const ctx = background(clock, new Tracer());
  if (isEndpoint(options.runtime)) return connectRemote(ctx, options.runtime, options, state);
  try {
    const runtime = await withTimeout(ctx, answerTimeout, (limited) => connect(limited, options, state));
    return await docker(ctx, runtime, state);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (options.runtime === 'docker') throw new StartError(`Docker does not answer: ${reason}`, { cause: error });
    return simulator(options, clock, [`Docker does not answer (${reason}): pods run in the simulator, which makes no real containers.`]);
  }
}

/** Rejects as soon as the time is over, also when the connection goes on trying. */
async function connect(ctx: Context, { sandboxImage, network, profile }: ServerOptions, state: StateDirectory): Promise<ContainerRuntime> {
  const connecting = createDockershim(ctx, { stateDirectory: state.join('dockershim'), instance: state.instance, sandboxImage, release: profile, ...network });
  let onAbort: (() => void) | undefined;
  const expired = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error(`no answer within ${answerTimeout / 1000} seconds`));
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

async function docker(ctx: Context, containerRuntime: ContainerRuntime, state: StateDirectory): Promise<ChosenRuntime> {
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

function simulator({ nodeName, sandboxImage }: ServerOptions, real: Clock, notices: readonly string[]): ChosenRuntime {
  const os = new MemoryOS();
  const clock = new VirtualClock(real.now());
  const runtime = createSimulator({
    clock,
    random: createRandom(Math.floor(cryptoRandom() * 2 ** 32)),
    hostFiles: os,
    nodeIp: simulatedNodeIp,
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  });
  return {
    containerRuntime: runtime,
    runtimeKind: 'sim',
    os,
    http: runtime.network,
    tcp: { connect: ({ host, port, timeoutMs, signal }) => runtime.network.dial(host, port, timeoutMs, signal) },
    notices,
    node: simulatedNode(nodeName),
    virtual: { clock, time: new TimeDriver({ clock, real }) },
  };
}
