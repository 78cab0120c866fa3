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
import { resolvePath } from '../machine/file-system.ts';
import { matchesLabels } from '../node.ts';
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
  create(ctx: Context, sandbox: SimulatedSandbox, config: ContainerConfig): Promise<SimulatedContainer> {
    if (!config.metadata?.name)
      throw new CriError('InvalidArgument', 'container config has no metadata: name and attempt are required');
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
      remove: (id) => {
        const existing = this.#records.containers.get(id);
        if (!existing || existing.running) throw new CriError('Unknown', `container ${id} is running`);
        this.#forget(existing);
      },
    });
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
   * Starts a container.
   * @throws CriError when the container was started before or its start fails
   */
  async start(container: SimulatedContainer): Promise<void> {
    if (container.state !== 'CONTAINER_CREATED') {
      throw new CriError(
        'FailedPrecondition',
        `container ${container.id} is in state ${container.state}: only a created one can be started`,
      );
    }
    await container.start();
  }

  async stop(ctx: Context, id: string, seconds: number): Promise<void> {
    const container = this.#records.containers.get(id);
    // The stop continues even if the caller cancels the call.
    if (container) await untilCancelled(ctx, container.stop(seconds));
  }

  async remove(ctx: Context, id: string): Promise<void> {
    await this.stop(ctx, id, 0);
    const container = this.#records.containers.get(id);
    if (container) this.#forget(container);
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
  update(container: SimulatedContainer, resources: LinuxContainerResources): void {
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
  list(filter: ContainerFilter | undefined): readonly SimulatedContainer[] {
    return [...this.#records.containers.values()]
      .filter(
        ({ id, state, sandbox, config }) =>
          (!filter?.id || id === filter.id) &&
          (!filter?.state || state === filter.state.state) &&
          (!filter?.podSandboxId || sandbox.id === filter.podSandboxId) &&
          matchesLabels(config.labels, filter?.labelSelector),
      )
      .toReversed();
  }
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
