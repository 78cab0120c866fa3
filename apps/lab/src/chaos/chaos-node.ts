/**
 * Implements a simulated node that outlives its server: the server can be stopped and restarted over the same runtime,
 * objects and files.
 */

import { baselinePolicy, type ObjectPersistence } from '@podscope/apiserver';
import { createRandom, errorMessage, type Random } from '@podscope/base';
import type { KubernetesObject } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { NodeHost } from '@podscope/node';
import { simulatedMachine, simulatedNode, simulatedNodeIp } from '@podscope/node/virtual';
import { createSimulator, type SimulatedRuntime } from '@podscope/simulated-runtime';
import type { EventLog } from '@podscope/trace';
import { RuntimeObserver } from './runtime-observer.ts';
import { WatchedClock } from './watched-clock.ts';

/** Keeps objects in memory, as a disk would, while the server is stopped. */
class Kept implements ObjectPersistence {
  readonly #objects = new Map<string, KubernetesObject>();

  load(): Promise<readonly KubernetesObject[]> {
    return Promise.resolve([...this.#objects.values()]);
  }
  put(key: string, object: KubernetesObject): Promise<void> {
    this.#objects.set(key, object);
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    this.#objects.delete(key);
    return Promise.resolve();
  }
}

/** Time limit for stopping, in virtual milliseconds. */
const stopLimit = 900_000;

export interface ChaosNodeOptions {
  readonly maxPods?: number;
  /** Address range of the pods. */
  readonly ipRange?: string;
}

export class ChaosNode {
  readonly clock = new WatchedClock();
  readonly os = new MemoryOS();
  readonly simulator: SimulatedRuntime;
  readonly observer: RuntimeObserver;
  /** Event logs of all servers that have run on this node so far. */
  readonly logs: EventLog[] = [];
  /** Errors of background work. */
  readonly errors: string[] = [];
  readonly #names: Random;
  readonly #kept = new Kept();
  readonly #retainedEvents: number;
  readonly #maxPods: number | undefined;
  #nodeHost: NodeHost | undefined;

  constructor(seed: number, retainedEvents: number, { maxPods, ipRange }: ChaosNodeOptions = {}) {
    const random = createRandom(seed);
    this.#names = random.fork('cluster');
    this.simulator = createSimulator({
      clock: this.clock,
      random: random.fork('runtime'),
      hostFiles: this.os,
      nodeIp: simulatedNodeIp,
      ...(ipRange === undefined ? {} : { ipRange }),
    });
    this.observer = new RuntimeObserver(this.simulator, this.clock, (uid) =>
      this.#nodeHost?.api.storage.list('Pod').find(({ metadata }) => metadata.uid === uid),
    );
    this.#retainedEvents = retainedEvents;
    this.#maxPods = maxPods;
  }

  /** Returns false while the server is stopped. */
  get up(): boolean {
    return this.#nodeHost !== undefined;
  }

  get nodeHost(): NodeHost {
    if (!this.#nodeHost) throw new Error('the server is down');
    return this.#nodeHost;
  }

  async start(): Promise<void> {
    const { network } = this.simulator;
    const nodeHost = new NodeHost({
      policy: baselinePolicy,
      containerRuntime: this.observer.runtime,
      runtimeKind: 'sim',
      clock: this.clock,
      random: () => this.#names.next(),
      os: this.os,
      http: network,
      tcp: { connect: ({ host, port, timeoutMs, signal }) => network.dial(host, port, timeoutMs, signal) },
      node: { ...simulatedNode('podscope'), ...(this.#maxPods === undefined ? {} : { maxPods: this.#maxPods }) },
      machine: simulatedMachine,
      version: 'chaos',
      persistence: this.#kept,
      retainedEvents: this.#retainedEvents,
      onError: (message, error) => this.errors.push(`${message}: ${errorMessage(error)}`),
    });
    this.#nodeHost = nodeHost;
    this.logs.push(nodeHost.log);
    await nodeHost.start();
  }

  /** Stops the server. Its containers and objects are kept. */
  async stop(): Promise<void> {
    const state = { done: false };
    const stopped = this.nodeHost.stop().finally(() => {
      state.done = true;
    });
    const end = this.clock.time.now() + stopLimit;
    while (!state.done && (await this.clock.time.fireNext(end as never)));
    await this.clock.time.settle();
    if (!state.done) throw new Error('the server does not stop');
    await stopped;
    this.#nodeHost = undefined;
  }
}
