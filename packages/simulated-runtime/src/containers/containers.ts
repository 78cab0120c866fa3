/** Creates, starts, stops, removes, updates and lists the containers of the simulated runtime. */
import {
  type ContainerConfig,
  type ContainerFilter,
  CriError,
  type LinuxContainerResources,
  type Mount,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { createWithRecovery, NameConflictError } from '../engine/create-with-recovery.ts';
import { dockerCall } from '../engine/docker-calls.ts';
import { labelFilters, unlessMissing } from '../engine/engine.ts';
import { resolvePath } from '../machine/file-system.ts';
import { matchesLabels, type SimulatedNode } from '../node.ts';
import type { Operation } from '../operations.ts';
import type { Records } from '../records.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { untilCancelled } from '../waiting.ts';
import { SimulatedContainer } from './container.ts';
import type { ImageVolume } from './container-files.ts';

/** The lowest memory limit that Docker accepts, in bytes. */
const leastMemory = 6 * 1024 ** 2;

export class Containers {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /**
   * Creates a container after the latency of the operation.
   * @throws CriError when the image is absent, the attempt already exists, or the configuration is invalid
   */
  async create(ctx: Context, sandboxId: string, config: ContainerConfig): Promise<SimulatedContainer> {
    if (!config.metadata?.name)
      throw new CriError('InvalidArgument', 'container config has no metadata: name and attempt are required');
    const { engine } = this.#records;
    const sandbox = await this.#sandboxOf(ctx, sandboxId);
    for (const { image } of config.mounts ?? [])
      if (image?.image) await unlessMissing(engine.inspectImage(ctx, image.image));
    const { name: pod, namespace, uid } = sandbox.config.metadata;
    const name = `k8s_${config.metadata.name}_${pod}_${namespace}_${uid}_${config.metadata.attempt}`;
    return createWithRecovery(ctx, {
      name,
      body: () => ({
        Image: config.image.image,
        Entrypoint: config.command,
        Cmd: config.args,
        HostConfig: { NetworkMode: `container:${sandbox.id}`, CgroupParent: sandbox.config.linux?.cgroupParent },
      }),
      create: async (inner) => {
        await this.#records.node.take(inner, 'CreateContainer');
        return this.#create(sandbox, config, name);
      },
      inspect: (inner, id) => engine.inspectContainer(inner, id),
      remove: (id) => {
        const existing = this.#records.containers.get(id);
        if (!existing || existing.running) throw new CriError('Unknown', `container ${id} is running`);
        this.#forget(existing);
      },
    });
  }

  /**
   * Returns the sandbox of a new container. v1.20 doesn't inspect the sandbox, but requests the engine's version.
   * @throws CriError NotFound
   */
  async #sandboxOf(ctx: Context, id: string): Promise<SimulatedSandbox> {
    const { engine, node, sandboxes } = this.#records;
    if (node.release === 'v1.36') return engine.inspectSandbox(ctx, id);
    await engine.checkVersion(ctx);
    const sandbox = sandboxes.get(id);
    if (!sandbox) throw new CriError('NotFound', `Error: No such container: ${id}`);
    return sandbox;
  }

  #create(sandbox: SimulatedSandbox, config: ContainerConfig, fullName: string): SimulatedContainer {
    const image = this.#records.node.images.find(config.image.image);
    if (!image) throw new CriError('Unknown', `Error: No such image: ${config.image.image}`);
    const { name, attempt } = config.metadata;
    const existing = this.#records
      .containersOf(sandbox.id)
      .find(({ config: { metadata } }) => metadata.name === name && metadata.attempt === attempt);
    if (existing) throw new NameConflictError(fullName, existing.id);
    const limit = config.linux?.resources?.memoryLimitInBytes ?? 0;
    if (limit > 0 && limit < leastMemory)
      throw new CriError('Unknown', 'Error response from daemon: Minimum memory limit allowed is 6MB');
    for (const mount of config.mounts ?? []) checkMount(mount);
    const volumes = (config.mounts ?? []).flatMap((mount) => this.#imageVolume(mount) ?? []);
    const container = new SimulatedContainer(this.#records, sandbox, config, image, volumes);
    this.#records.containers.set(container.id, container);
    container.publish('CONTAINER_CREATED_EVENT');
    return container;
  }

  /**
   * Returns the image volume of a mount; undefined for another kind of mount.
   * @throws CriError when the image is absent
   */
  #imageVolume({ image, containerPath, imageSubPath = '' }: Mount): ImageVolume | undefined {
    if (!image?.image) return undefined;
    const stored = this.#records.node.images.find(image.image);
    if (!stored) throw new CriError('NotFound', `Error: No such image: ${image.image}`);
    return {
      containerPath: resolvePath('/', containerPath),
      definition: stored.definition,
      subPath: resolvePath('/', imageSubPath),
    };
  }

  /**
   * Starts a container, then inspects it. v1.36 does so to wait for the exit of a container that ends at once. v1.20
   * does so to link the log, even after a failed start.
   * @throws CriError when the container was started before or its start fails
   */
  async start(ctx: Context, id: string): Promise<void> {
    const { engine, node, containers } = this.#records;
    const isCurrent = node.release === 'v1.36';
    const isKnown = isCurrent ? containers.get(id)?.state === 'CONTAINER_CREATED' : containers.has(id);
    const container = (isKnown ? containers.get(id) : undefined) ?? (await engine.inspectContainer(ctx, id));
    if (isCurrent && !isKnown) throw this.#startedBefore(container);
    const inspect = (): Promise<unknown> => engine.inspectContainer(ctx, id).catch(() => undefined);
    try {
      await dockerCall(ctx, 'startContainer', { id }, async (inner) => {
        await node.take(inner, 'StartContainer');
        if (container.state !== 'CONTAINER_CREATED') throw this.#startedBefore(container);
        await container.start();
      });
    } catch (error) {
      if (!isCurrent) await inspect();
      throw error;
    }
    await inspect();
  }

  #startedBefore({ id, state }: SimulatedContainer): CriError {
    return new CriError(
      'FailedPrecondition',
      `container ${id} is in state ${state}: only a created one can be started`,
    );
  }

  /** Stops a container. Succeeds if it doesn't exist. */
  async stop(ctx: Context, id: string, seconds: number, operation?: Operation): Promise<void> {
    const { containers, engine, node } = this.#records;
    if (!containers.has(id)) {
      await unlessMissing(engine.inspectContainer(ctx, id, operation ? { operation } : {}));
      return;
    }
    const timeout = Math.max(0, Math.floor(seconds));
    await dockerCall(ctx, 'stopContainer', { id, query: { t: timeout } }, async (inner) => {
      if (operation) await node.take(inner, operation);
      // The stop continues even if the caller cancels the call.
      await untilCancelled(inner, containers.get(id)?.stop(timeout) ?? Promise.resolve());
    });
  }

  /** Removes a container, even if it is running. Succeeds if it doesn't exist. */
  async remove(ctx: Context, id: string, operation?: Operation): Promise<void> {
    const { containers, engine, node } = this.#records;
    if (node.release === 'v1.20' || !containers.has(id)) {
      const found = await unlessMissing(engine.inspectContainer(ctx, id));
      if (!found) return;
    }
    await this.removeForGood(ctx, id, operation);
  }

  /** Removes a container that exists, even if it is running. */
  removeForGood(ctx: Context, id: string, operation?: Operation): Promise<void> {
    return dockerCall(ctx, 'removeContainer', { id, query: { force: 1, v: 1 } }, async (inner) => {
      if (operation) await this.#records.node.take(inner, operation);
      const container = this.#records.containers.get(id);
      if (!container) return;
      await container.stop(0);
      this.#forget(container);
    });
  }

  #forget(container: SimulatedContainer): void {
    container.log.end();
    this.#records.containers.delete(container.id);
    container.publish('CONTAINER_DELETED_EVENT');
  }

  /**
   * Changes limits. As in Docker's update call, a value that is 0 or absent means no change.
   * @throws CriError when more memory is in use than the new limit
   */
  async update(ctx: Context, id: string, resources: LinuxContainerResources): Promise<void> {
    const { containers, engine, node } = this.#records;
    const container = containers.get(id) ?? (await engine.inspectContainer(ctx, id));
    const body = updateBody(resources, node.release);
    await dockerCall(ctx, 'updateContainer', { id, body }, async (inner) => {
      await node.take(inner, 'UpdateContainerResources');
      this.#update(container, resources);
    });
  }

  #update(container: SimulatedContainer, resources: LinuxContainerResources): void {
    const changes = Object.entries(resources).filter(([, value]) => Boolean(value));
    const limit = resources.memoryLimitInBytes ?? 0;
    const used = container.machine?.usedMemory ?? 0;
    if (limit > 0 && limit < used) {
      throw new CriError(
        'Unknown',
        `failed to update container "${container.id}": Error response from daemon: ` +
          `memory limit ${limit} is below the ${used} bytes in use: device or resource busy`,
      );
    }
    container.resources = { ...container.resources, ...Object.fromEntries(changes) };
  }

  /** Returns the containers that match, the newest first, as Docker does. */
  list(
    ctx: Context,
    filter: ContainerFilter | undefined,
    operation?: Operation,
  ): Promise<readonly SimulatedContainer[]> {
    const { engine, node, sandboxes } = this.#records;
    const sandboxId = filter?.podSandboxId;
    if (!sandboxId || node.release === 'v1.20' || sandboxes.has(sandboxId)) return this.#list(ctx, filter, operation);
    // An unknown sandbox id may be abbreviated, so the engine is asked for it first.
    return unlessMissing(engine.inspectSandbox(ctx, sandboxId)).then(() => this.#list(ctx, filter, operation));
  }

  #list(
    ctx: Context,
    filter: ContainerFilter | undefined,
    operation: Operation | undefined,
  ): Promise<readonly SimulatedContainer[]> {
    const { engine, node } = this.#records;
    const sandboxId = filter?.podSandboxId;
    return engine.listContainers(ctx, {
      all: true,
      filters: {
        label: [...engine.labelsOf('container', sandboxId), ...labelFilters(filter?.labelSelector)],
        ...(filter?.id ? { id: [filter.id] } : {}),
        ...(filter?.state && node.release === 'v1.20' ? { status: [statusFilters[filter.state.state]] } : {}),
      },
      ...(operation && { operation }),
      find: () =>
        [...this.#records.containers.values()]
          .filter(
            ({ id, state, sandbox, config }) =>
              (!filter?.id || id === filter.id) &&
              (!filter?.state || state === filter.state.state) &&
              (!sandboxId || sandbox.id === sandboxId) &&
              matchesLabels(config.labels, filter?.labelSelector),
          )
          .toReversed(),
    });
  }
}

/** Docker's filter for a state of CRI. v1.20 passes the state to the engine; v1.36 filters the list itself. */
const statusFilters = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
} as const;

/** Returns the body of an update request. v1.20 doesn't change the swap limit. */
function updateBody(linux: LinuxContainerResources, release: SimulatedNode['release']): object {
  const memory = linux.memoryLimitInBytes ?? 0;
  return {
    CpuPeriod: linux.cpuPeriod ?? 0,
    CpuQuota: linux.cpuQuota ?? 0,
    CpuShares: linux.cpuShares ?? 0,
    CpusetCpus: linux.cpusetCpus ?? '',
    CpusetMems: linux.cpusetMems ?? '',
    Memory: memory,
    ...(release === 'v1.36' && { MemorySwap: linux.memorySwapLimitInBytes || memory }),
    RestartPolicy: { Name: '', MaximumRetryCount: 0 },
  };
}

/**
 * Checks a mount.
 * @throws CriError InvalidArgument for a combination that the CRI specification forbids
 */
function checkMount({ containerPath, readonly, recursiveReadOnly, propagation = 'PROPAGATION_PRIVATE' }: Mount): void {
  if (!recursiveReadOnly) return;
  if (!readonly)
    throw new CriError('InvalidArgument', `mount ${containerPath}: recursive_read_only requires readonly to be true`);
  if (propagation !== 'PROPAGATION_PRIVATE')
    throw new CriError('InvalidArgument', `mount ${containerPath}: recursive_read_only requires private propagation`);
}
