/** The node that a server serves: over real containers the same to the end; a simulated one can be run again, and is another one then. */
import { randomUUID } from 'node:crypto';
import { Cluster, type ClusterOptions, type Session, type Transport } from '@podscope/cluster';
import type { ContainerRuntime } from '@podscope/cri';
import { SimulationHost, type SimulationHostOptions } from '@podscope/simulation';
import type { SimulationSettings } from '@podscope/simulator';
import type { Clock } from '@podscope/trace';
import { cryptoRandom } from '../security/token.ts';
import { rewindableDebugState, rewindableObjects } from '../state/rewindable.ts';
import type { RealRuntime } from './choose-runtime.ts';

/** What does not depend on the runtime. */
export type CommonOptions = Pick<
  ClusterOptions,
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
  /** As it is now. */
  readonly cluster: Cluster;
  /** As it is now. */
  readonly containerRuntime: ContainerRuntime;
  /** Resolves when clients may come: at once, or when the run that is run again has come so far. */
  readonly ready: Promise<void>;
  start(): Promise<void>;
  stop(keepPods: boolean): Promise<void>;
  connect(transport: Transport): Session;
  /** Counts a client of the debugger that has no session, until the returned function is called. */
  attach(): () => void;
}

export interface NodeHooks {
  /** Called for each cluster before it starts. */
  readonly prepare: (cluster: Cluster) => void;
  /** Called for each cluster once it has started. */
  readonly begin: (cluster: Cluster) => void;
  /** The node is another one now. */
  readonly onRerun: () => void;
}

/** The node over real containers. */
export function realNode(
  options: CommonOptions,
  chosen: Omit<RealRuntime, 'node'> & Pick<ClusterOptions, 'node' | 'machine' | 'cgroups'>,
  hooks: NodeHooks & { readonly clock: Clock },
): HostedNode {
  const cluster = new Cluster({ ...options, ...chosen, notices: options.notices ?? [], clock: hooks.clock, random: cryptoRandom });
  hooks.prepare(cluster);
  return {
    cluster,
    containerRuntime: chosen.containerRuntime,
    ready: Promise.resolve(),
    start: async () => {
      await cluster.start();
      hooks.begin(cluster);
    },
    stop: (keepPods) => cluster.stop({ keepPods }),
    connect: (transport) => cluster.connect(transport),
    attach: () => cluster.debugger.attach(),
  };
}

/** The simulated node, on time that begins now. */
export function simulatedHost(
  { persistence, debug, ...options }: CommonOptions,
  { nodeName, settings: { seed, ...simulator } }: { readonly nodeName: string; readonly settings: SimulationSettings },
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
  };
  const host = new SimulationHost({
    real: clock,
    run: randomUUID(),
    simulation,
    extend: ({ cluster }) => prepare(cluster),
    begin: async ({ cluster }) => begin(cluster),
    onRerun,
  });
  return {
    get cluster() {
      return host.simulation.cluster;
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
