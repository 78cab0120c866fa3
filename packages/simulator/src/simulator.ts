/**
 * The simulated runtime: CRI in memory, on a clock and a seed. The kubelet drives it like any other runtime; tests and the debugger
 * also reach into it.
 */
import { type ContainerRuntime, type ContainerStreams, CriError, type ImageService, type RuntimeService } from '@podscope/cri';
import type { ContainerRecord } from './container-record.ts';
import type { Fault } from './faults.ts';
import { SimulatedImageService } from './image-service.ts';
import { SimulatedNetworkClient } from './network-client.ts';
import { SimulatedNode } from './node.ts';
import type { Operation, SimulatorOptions } from './options.ts';
import { simulatorPoints } from './points.ts';
import { SimulatedRuntimeService } from './runtime-service.ts';
import type { SandboxRecord } from './sandbox-record.ts';
import { simulatedStreams } from './streams/simulated-streams.ts';

/** A simulated runtime and the hands that reach into it. */
export interface SimulatedRuntime extends ContainerRuntime {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly streams: ContainerStreams;
  /** Requests from the node to its pods: what probes and HTTP handlers use. */
  readonly network: SimulatedNetworkClient;
  /**
   * Kills a container's first process from outside (exit code 137, or the one given).
   * @throws CriError NotFound when there is none, FailedPrecondition when it does not run.
   */
  killContainer(id: string, code?: number): Promise<void>;
  /** Lets a container's first process exit with `code`. @throws CriError as {@link killContainer}. */
  exitContainer(id: string, code: number): Promise<void>;
  /** Ends a sandbox's pause process, as `docker kill` does; its containers go on, unless it is process 1 of theirs. @throws CriError NotFound when there is none. */
  stopSandboxFromOutside(id: string): Promise<void>;
  /**
   * The machine goes down and comes back: no process lives on. Containers end with code 255, as Docker shows after a power cut; with
   * `containersGone` the runtime has forgotten them and their sandboxes, as after a cleared data directory.
   */
  restartNode(options?: { readonly containersGone?: boolean }): Promise<void>;
  /** Makes an image present. @throws RangeError when no simulated registry has it. */
  addImage(reference: string): void;
  /** Takes an image away, also when containers use it. Does nothing when it is absent. */
  removeImage(reference: string): void;
  /** Lets the next calls of an operation fail; a text becomes a CriError of code Unknown. */
  failNext(operation: Operation, failure: string | Error, options?: Omit<Fault, 'error'>): void;
  /** Breaks or mends the network plugin. */
  setNetworkReady(ready: boolean): void;
}

function find<T>(records: ReadonlyMap<string, T>, kind: string, id: string): T {
  const record = records.get(id);
  if (!record) throw new CriError('NotFound', `${kind} ${id} not found`);
  return record;
}

/**
 * Makes a simulated runtime.
 * @throws RangeError when an option makes no sense.
 */
export function createSimulator(options: SimulatorOptions): SimulatedRuntime {
  const node = new SimulatedNode(options);
  const name = options.name ?? 'sim';

  const container = (id: string): ContainerRecord => find(node.containers, 'container', id);
  const sandbox = (id: string): SandboxRecord => find(node.sandboxes, 'sandbox', id);

  return {
    name,
    runtime: new SimulatedRuntimeService(node, name),
    images: new SimulatedImageService(node),
    logs: {
      async *containerLogs(ctx, containerId, logOptions) {
        const record = node.containers.get(containerId);
        if (!record) throw new CriError('NotFound', `Error: No such container: ${containerId}`);
        yield* record.log.read(logOptions, ctx.signal);
      },
    },
    streams: simulatedStreams({ container, sandbox }),
    network: new SimulatedNetworkClient(node),
    deviations: () => [],
    points: simulatorPoints,
    close: () => Promise.resolve(),
    killContainer: async (id, code = 137) => container(id).end(code),
    exitContainer: async (id, code) => container(id).end(code),
    stopSandboxFromOutside: async (id) => sandbox(id).end(),
    restartNode: async ({ containersGone = false } = {}) => {
      // Who has joined another's PID namespace would be killed with that one.
      for (const record of [...node.containers.values()].toReversed()) if (record.running) await record.end(255);
      for (const record of node.sandboxes.values()) record.end();
      if (!containersGone) return;
      for (const { network } of node.sandboxes.values()) if (network) node.network.detach(network);
      node.containers.clear();
      node.sandboxes.clear();
    },
    addImage: (reference) => node.addImage(reference),
    removeImage: (reference) => {
      const image = node.images.find(reference);
      if (image) node.images.remove(image);
    },
    failNext: (operation, failure, fault) =>
      node.faults.add(operation, { ...fault, error: typeof failure === 'string' ? new CriError('Unknown', failure) : failure }),
    setNetworkReady: (ready) => {
      node.networkReady = ready;
    },
  };
}
