/**
 * Runs a whole node in memory: API server, kubelet and simulated runtime, on one virtual clock and one seed. The run is
 * deterministic. With equal options, and equal inputs at equal instants, the event log is equal byte for byte, on
 * Node.js and in a browser.
 */

import { baselinePolicy } from '@podscope/apiserver';
import { createRandom } from '@podscope/base';
import type { ContainerRuntime } from '@podscope/cri';
import { MemoryOS } from '@podscope/kuberuntime';
import { createSimulator, type SimulatedRuntime, type SimulatorOptions } from '@podscope/simulated-runtime';
import { addMilliseconds, type Instant, VirtualClock } from '@podscope/trace';
import { NodeHost } from '../node-host.ts';
import type { NodeHostOptions } from '../node-host-options.ts';
import { simulatedMachine, simulatedNode, simulatedNodeIp } from './simulated-machine.ts';

export interface SimulationOptions
  extends Partial<
    Pick<
      NodeHostOptions,
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
  /** The seed of all random numbers. Default: 1. */
  readonly seed?: number | string;
  /** The instant at which the run begins. Default: the start of 2026. */
  readonly start?: Instant;
  readonly nodeName?: string;
  /** Version of the product, for the page. */
  readonly version?: string;
  /** Wraps the runtime that the kubelet calls, for example to record its calls. */
  readonly wrapRuntime?: (runtime: SimulatedRuntime) => ContainerRuntime;
  /** Options of the simulated runtime: images, registries, latencies, container behavior. */
  readonly simulator?: Omit<Partial<SimulatorOptions>, 'clock' | 'random' | 'hostFiles' | 'nodeIp'>;
}

/** The default seed. */
export const defaultSeed = 1;

/** Creates a simulated node without starting it. */
export class Simulation {
  readonly clock: VirtualClock;
  readonly simulator: SimulatedRuntime;
  readonly nodeHost: NodeHost;

  /**
   * Creates the node.
   * @throws RangeError for an invalid option of the simulator
   */
  constructor(options: SimulationOptions = {}) {
    const {
      seed = defaultSeed,
      start,
      nodeName = 'podscope',
      version = '0.0.0',
      simulator,
      wrapRuntime,
      ...nodeHost
    } = options;
    const random = createRandom(seed);
    const names = random.fork('cluster');
    const os = new MemoryOS();
    this.clock = new VirtualClock(start);
    this.simulator = createSimulator({
      ...(nodeHost.profile ? { release: nodeHost.profile } : {}),
      ...simulator,
      clock: this.clock,
      random: random.fork('runtime'),
      hostFiles: os,
      nodeIp: simulatedNodeIp,
    });
    const { network } = this.simulator;
    this.nodeHost = new NodeHost({
      policy: baselinePolicy,
      ...nodeHost,
      containerRuntime: wrapRuntime?.(this.simulator) ?? this.simulator,
      cgroups: this.simulator.cgroups,
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

  /** Starts the kubelet. Resolves when the kubelet waits for the first pod. Virtual time doesn't advance. */
  async start(): Promise<void> {
    await this.nodeHost.start();
    await this.clock.settle();
  }

  /** Stops the kubelet's loops. By default, pods are kept. Clients receive the reason. */
  async stop(options: Parameters<NodeHost['stop']>[0] = {}): Promise<void> {
    const stopping = { done: false };
    const stopped = this.nodeHost.stop(options).finally(() => {
      stopping.done = true;
    });
    // Operations in progress may need virtual time to end, so timers are fired until the node has stopped.
    const limit = addMilliseconds(this.clock.now(), options.keepPods === false ? stopLimitWithPods : stopLimit);
    while (!stopping.done && (await this.clock.fireNext(limit)));
    await stopped;
  }
}

/** The longest virtual time that a stop may take, in ms. */
const stopLimit = 600_000;
/** The longest virtual time that a stop may take if it also stops the pods, in ms. It includes their grace periods. */
const stopLimitWithPods = 366 * 86_400_000;
