/**
 * Hosts the node of a server, which has real or simulated containers. A rerun replaces a simulated node with a new one.
 */
import { randomUUID } from 'node:crypto';
import type { ContainerRuntime } from '@podscope/cri';
import { defaultLogRotatePolicy } from '@podscope/kubelet';
import { NodeHost, type NodeHostOptions, type Session, type Transport } from '@podscope/node';
import { SimulationHost, type SimulationHostOptions } from '@podscope/node/virtual';
import type { RestoredPod } from '@podscope/pod-snapshot';
import type { SimulationSettings } from '@podscope/simulated-runtime';
import type { Clock } from '@podscope/trace';
import { cryptoRandom } from '../security/token.ts';
import { rewindableDebugState, rewindableObjects } from '../state/rewindable.ts';
import type { RealRuntime } from './real-runtime.ts';

/** Options that don't depend on the runtime. */
export type CommonOptions = Pick<
  NodeHostOptions,
  | 'policy'
  | 'readOnly'
  | 'showSecrets'
  | 'imageGC'
  | 'tokenSigner'
  | 'persistence'
  | 'profile'
  | 'featureGates'
  | 'staticPods'
  | 'debug'
  | 'notices'
  | 'openArchive'
  | 'retainedEvents'
  | 'version'
  | 'kubeconfig'
  | 'onError'
>;

export interface HostedNode {
  /** The current node; a rerun replaces it. */
  readonly nodeHost: NodeHost;
  /** The runtime of the current node; a rerun replaces it. */
  readonly containerRuntime: ContainerRuntime;
  /** Resolves when clients may connect: at once, or after the current rerun. */
  readonly ready: Promise<void>;
  start(): Promise<void>;
  stop(keepPods: boolean): Promise<void>;
  connect(transport: Transport): Session;
  /** Registers a client of the debugger that has no session. The returned function unregisters it. */
  attach(): () => void;
}

export interface NodeHooks {
  /** Called for each node before it starts. */
  readonly prepare: (nodeHost: NodeHost) => void;
  /** Called for each node after it has started. */
  readonly begin: (nodeHost: NodeHost) => void;
  /** Called after a rerun has replaced the node. */
  readonly onRerun: () => void;
}

/** Returns a node on a real container runtime. */
export function realNode(
  options: CommonOptions,
  chosen: Omit<RealRuntime, 'node'> & Pick<NodeHostOptions, 'node' | 'machine' | 'cgroups'>,
  hooks: NodeHooks & { readonly clock: Clock },
): HostedNode {
  const nodeHost = new NodeHost({
    ...options,
    ...chosen,
    notices: options.notices ?? [],
    logRotation: defaultLogRotatePolicy,
    clock: hooks.clock,
    random: cryptoRandom,
  });
  hooks.prepare(nodeHost);
  return {
    nodeHost,
    containerRuntime: chosen.containerRuntime,
    ready: Promise.resolve(),
    start: async () => {
      await nodeHost.start();
      hooks.begin(nodeHost);
    },
    stop: (keepPods) => nodeHost.stop({ keepPods }),
    connect: (transport) => nodeHost.connect(transport),
    attach: () => nodeHost.debugger.attach(),
  };
}

/** Returns a simulated node whose virtual time starts now. */
export function simulatedHost(
  { persistence, debug, ...options }: CommonOptions,
  {
    nodeName,
    settings: { seed, ...simulator },
    restored,
  }: {
    readonly nodeName: string;
    readonly settings: SimulationSettings;
    /** The pod of another cluster, whose run the node continues. */
    readonly restored?: RestoredPod | undefined;
  },
  { prepare, begin, onRerun, clock }: NodeHooks & { readonly clock: Clock },
): HostedNode {
  const simulation: NonNullable<SimulationHostOptions['simulation']> = {
    ...options,
    ...(persistence ? { persistence: rewindableObjects(persistence) } : {}),
    debug: { ...debug, ...(debug?.persistence ? { persistence: rewindableDebugState(debug.persistence) } : {}) },
    nodeName,
    seed: seed ?? Math.floor(cryptoRandom() * 2 ** 32),
    start: clock.now(),
    simulator,
    ...restored?.simulation,
    ...(restored
      ? {
          simulator: { ...simulator, ...restored.simulation.simulator },
          notices: [...(options.notices ?? []), ...(restored.simulation.notices ?? [])],
        }
      : {}),
  };
  const host = new SimulationHost({
    real: clock,
    run: randomUUID(),
    simulation,
    ...(restored ? { prepare: restored.prepare } : {}),
    extend: ({ nodeHost }) => prepare(nodeHost),
    begin: async ({ nodeHost }) => begin(nodeHost),
    onRerun,
  });
  return {
    get nodeHost() {
      return host.simulation.nodeHost;
    },
    get containerRuntime() {
      return host.simulation.simulator;
    },
    get ready() {
      return host.ready;
    },
    start: () => host.start(),
    stop: (keepPods) => host.stop({ keepPods }),
    connect: (transport) => host.connect(transport),
    attach: () => host.attach(),
  };
}
