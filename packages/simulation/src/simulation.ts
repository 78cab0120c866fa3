/**
 * A whole node in memory: cluster, kubelet and simulated runtime on one virtual clock and one seed. What is handed in decides the run:
 * the same options and the same inputs at the same instants give the same event log, byte for byte, on Node and in a browser.
 */
import { baselinePolicy, Cluster, type ClusterOptions } from '@podscope/cluster';
import { MemoryOS } from '@podscope/kuberuntime';
import { createRandom, createSimulator, type SimulatedRuntime, type SimulatorOptions } from '@podscope/simulator';
import { addMilliseconds, type Instant, VirtualClock } from '@podscope/trace';
import { simulatedMachine, simulatedNode, simulatedNodeIp } from './simulated-machine.ts';

export interface SimulationOptions
  extends Partial<
    Pick<
      ClusterOptions,
      | 'policy'
      | 'debug'
      | 'pacing'
      | 'time'
      | 'run'
      | 'repeats'
      | 'readOnly'
      | 'showSecrets'
      | 'imageGC'
      | 'tokenSigner'
      | 'openArchive'
      | 'kubeconfig'
      | 'retainedEvents'
      | 'notices'
      | 'onError'
      | 'persistence'
      | 'staticPods'
      | 'profile'
      | 'featureGates'
      | 'memory'
    >
  > {
  /** All chance comes from it. Default: 1. */
  readonly seed?: number | string;
  /** When the run begins. Default: the start of 2026. */
  readonly start?: Instant;
  readonly nodeName?: string;
  /** Version of the product, for the page. */
  readonly version?: string;
  /** What the runtime is like: images, registries, latencies, lives of containers. */
  readonly simulator?: Omit<Partial<SimulatorOptions>, 'clock' | 'random' | 'hostFiles' | 'nodeIp'>;
}

/** The seed when none is given. */
export const defaultSeed = 1;

/** A simulated node, not started yet. */
export class Simulation {
  readonly clock: VirtualClock;
  readonly simulator: SimulatedRuntime;
  readonly cluster: Cluster;

  /** @throws RangeError when an option of the simulator makes no sense. */
  constructor(options: SimulationOptions = {}) {
    const { seed = defaultSeed, start, nodeName = 'podscope', version = '0.0.0', simulator, ...cluster } = options;
    const random = createRandom(seed);
    const names = random.fork('cluster');
    const os = new MemoryOS();
    this.clock = new VirtualClock(start);
    this.simulator = createSimulator({ ...simulator, clock: this.clock, random: random.fork('runtime'), hostFiles: os, nodeIp: simulatedNodeIp });
    const { network } = this.simulator;
    this.cluster = new Cluster({
      policy: baselinePolicy,
      ...cluster,
      containerRuntime: this.simulator,
      runtimeKind: 'sim',
      clock: this.clock,
      random: () => names.next(),
      os,
      http: network,
      grpc: network,
      tcp: { connect: ({ host, port, timeoutMs, signal }) => network.dial(host, port, timeoutMs, signal) },
      node: simulatedNode(nodeName, simulator?.nodeMemory),
      machine: simulatedMachine,
      version,
    });
  }

  /** Starts the kubelet. No time passes. */
  start(): Promise<void> {
    return this.cluster.start();
  }

  /** Ends the kubelet's loops; pods stay as they are, unless it is said otherwise. Clients are told the reason. */
  async stop(options: Parameters<Cluster['stop']>[0] = {}): Promise<void> {
    const stopping = { done: false };
    const stopped = this.cluster.stop(options).finally(() => {
      stopping.done = true;
    });
    // What is under way may need time to end.
    const limit = addMilliseconds(this.clock.now(), options.keepPods === false ? stopLimitWithPods : stopLimit);
    while (!stopping.done && (await this.clock.fireNext(limit)));
    await stopped;
  }
}

/** The longest virtual time that ending may take, in milliseconds. */
const stopLimit = 600_000;
/** Pods have their grace periods. */
const stopLimitWithPods = 366 * 86_400_000;
