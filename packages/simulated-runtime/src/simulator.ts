/**
 * Creates the simulated runtime, which implements CRI in memory and is driven by a clock and a seed. Its further
 * methods change its state as other programs or the machine would do.
 */
import {
  type ContainerRuntime,
  type ContainerStreams,
  CriError,
  type ImageService,
  type RuntimeService,
} from '@podscope/cri';
import { cniPoints, dockerPoints, simulatedRunPodSandboxPoints } from '@podscope/flow';
import type { Point } from '@podscope/trace';
import { CgroupTree } from './cgroups/cgroup-tree.ts';
import type { SimulatedContainer } from './containers/container.ts';
import type { Fault } from './faults.ts';
import { SimulatedNetworkClient } from './network/network-client.ts';
import { SimulatedNode } from './node.ts';
import type { Operation } from './operations.ts';
import type { SimulatorOptions } from './options.ts';
import { Records } from './records.ts';
import type { SimulatedSandbox } from './sandboxes/sandbox.ts';
import { SimulatedImageService } from './service/image-service.ts';
import { SimulatedRuntimeService } from './service/runtime-service.ts';
import { simulatedStreams } from './streams/simulated-streams.ts';

/** A simulated runtime with methods for tests, scenarios and the debugger. */
export interface SimulatedRuntime extends ContainerRuntime {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly streams: ContainerStreams;
  /** The cgroups of the node. The kubelet changes them. */
  readonly cgroups: CgroupTree;
  /** Sends requests from the node to its pods, for probes and lifecycle handlers. */
  readonly network: SimulatedNetworkClient;
  /**
   * Kills process 1 of a container. The container exits with `code` (default 137).
   * @throws CriError NotFound for an unknown id, FailedPrecondition when the container isn't running
   */
  killContainer(id: string, code?: number): Promise<void>;
  /**
   * Makes process 1 of a container exit with `code`.
   * @throws CriError like {@link killContainer}
   */
  exitContainer(id: string, code: number): Promise<void>;
  /**
   * Ends the pause process of a sandbox, as `docker kill` does. The sandbox's containers continue to run, unless they
   * share its PID namespace.
   * @throws CriError NotFound for an unknown id
   */
  stopSandboxFromOutside(id: string): Promise<void>;
  /**
   * Restarts the machine. All containers exit with code 255, which Docker reports after a power failure.
   * @param options.containersGone whether the runtime also loses all containers and sandboxes, as when its data
   * directory was deleted
   */
  restartNode(options?: { readonly containersGone?: boolean }): Promise<void>;
  /**
   * Adds an image without a pull.
   * @throws RangeError when no simulated registry has the image
   */
  addImage(reference: string): void;
  /** Removes an image even if containers use it. Does nothing when it is absent. */
  removeImage(reference: string): void;
  /** Makes the next calls of an operation fail. A text becomes the message of a CriError with the code Unknown. */
  failNext(operation: Operation, failure: string | Error, options?: Omit<Fault, 'error'>): void;
  /** Sets whether the network plugin is ready. */
  setNetworkReady(ready: boolean): void;
}

function find<T>(records: ReadonlyMap<string, T>, kind: string, id: string): T {
  const record = records.get(id);
  if (!record) throw new CriError('NotFound', `${kind} ${id} not found`);
  return record;
}

/**
 * Creates a simulated runtime.
 * @throws RangeError when an option is invalid
 */
export function createSimulator(options: SimulatorOptions): SimulatedRuntime {
  const node = new SimulatedNode(options);
  const records = new Records(node);

  const container = (id: string): SimulatedContainer => find(records.containers, 'container', id);
  const sandbox = (id: string): SimulatedSandbox => find(records.sandboxes, 'sandbox', id);

  return {
    name: node.instance,
    runtime: new SimulatedRuntimeService(records, node.instance),
    images: new SimulatedImageService(records),
    logs: {
      async *containerLogs(ctx, containerId, logOptions) {
        const record = records.containers.get(containerId);
        if (!record) throw new CriError('NotFound', `Error: No such container: ${containerId}`);
        yield* record.log.read(logOptions, ctx.signal);
      },
    },
    streams: simulatedStreams({ container, sandbox }),
    cgroups: new CgroupTree(records),
    network: new SimulatedNetworkClient(node),
    deviations: () => [],
    points: [simulatedRunPodSandboxPoints, dockerPoints, cniPoints].flatMap((points) => Object.values<Point>(points)),
    close: () => Promise.resolve(),
    killContainer: async (id, code = 137) => container(id).end(code),
    exitContainer: async (id, code) => container(id).end(code),
    stopSandboxFromOutside: async (id) => sandbox(id).end(),
    restartNode: async ({ containersGone = false } = {}) => {
      // Containers are stopped in the reverse order of their creation. Otherwise, a container that joined another
      // container's PID namespace would be killed together with the other container.
      for (const record of [...records.containers.values()].toReversed()) if (record.running) await record.end(255);
      for (const record of records.sandboxes.values()) record.end();
      if (!containersGone) return;
      for (const { id, network } of records.sandboxes.values()) {
        if (network) node.network.detach(network);
        await node.hostFiles.removeAll(node.checkpointPath(id));
      }
      records.containers.clear();
      records.sandboxes.clear();
    },
    addImage: (reference) => node.addImage(reference),
    removeImage: (reference) => {
      const image = node.images.find(reference);
      if (image) node.images.remove(image);
    },
    failNext: (operation, failure, fault) =>
      node.faults.add(operation, {
        ...fault,
        error: typeof failure === 'string' ? new CriError('Unknown', failure) : failure,
      }),
    setNetworkReady: (ready) => {
      node.networkReady = ready;
    },
  };
}
