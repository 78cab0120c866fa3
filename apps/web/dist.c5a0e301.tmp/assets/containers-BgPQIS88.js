var e=`/** The container calls of the simulated runtime. */
import { type ContainerConfig, type ContainerFilter, CriError, type LinuxContainerResources } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { ContainerRecord } from './container-record.ts';
import { matchesLabels, type SimulatedNode, until } from './node.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/** An engine takes no lower limit. */
const leastMemory = 6 * 1024 ** 2;

export class Containers {
  readonly #node: SimulatedNode;

  constructor(node: SimulatedNode) {
    this.#node = node;
  }

  /** @throws CriError when the image is absent, the attempt is there already, or the configuration makes no sense. */
  create(sandbox: SandboxRecord, config: ContainerConfig): ContainerRecord {
    if (!config.metadata?.name) throw new CriError('InvalidArgument', 'container config has no metadata: name and attempt are required');
    const image = this.#node.images.find(config.image.image);
    if (!image) throw new CriError('Unknown', \`Error: No such image: \${config.image.image}\`);
    const { name, attempt } = config.metadata;
    const twin = this.#node.containersOf(sandbox.id).find(({ config: { metadata } }) => metadata.name === name && metadata.attempt === attempt);
    if (twin) {
      const { name: pod, namespace, uid } = sandbox.config.metadata;
      throw nameConflict(\`k8s_\${name}_\${pod}_\${namespace}_\${uid}_\${attempt}\`, twin.id);
    }
    const limit = config.linux?.resources?.memoryLimitInBytes ?? 0;
    if (limit > 0 && limit < leastMemory) throw new CriError('Unknown', 'Error response from daemon: Minimum memory limit allowed is 6MB');
    const container = new ContainerRecord(this.#node, sandbox, config, image);
    this.#node.containers.set(container.id, container);
    container.publish('CONTAINER_CREATED_EVENT');
    return container;
  }

  /** @throws CriError when it has been started before, or can't be. */
  async start(container: ContainerRecord): Promise<void> {
    if (container.state !== 'CONTAINER_CREATED') {
      throw new CriError('FailedPrecondition', \`container \${container.id} is in state \${container.state}: only a created one can be started\`);
    }
    await container.start();
  }

  async stop(ctx: Context, id: string, seconds: number): Promise<void> {
    const container = this.#node.containers.get(id);
    // The end, once begun, does not depend on the caller's patience.
    if (container) await until(ctx, container.stop(seconds));
  }

  async remove(ctx: Context, id: string): Promise<void> {
    await this.stop(ctx, id, 0);
    const container = this.#node.containers.get(id);
    if (!container) return;
    container.log.end();
    this.#node.containers.delete(id);
    container.publish('CONTAINER_DELETED_EVENT');
  }

  /** What is 0 or absent stays as it is, as with an engine's update. */
  update(container: ContainerRecord, resources: LinuxContainerResources): void {
    const changes = Object.entries(resources).filter(([, value]) => Boolean(value));
    const limit = resources.memoryLimitInBytes ?? 0;
    const used = container.machine?.usedMemory ?? 0;
    if (limit > 0 && limit < used) {
      throw new CriError(
        'Unknown',
        \`failed to update container "\${container.id}": Error response from daemon: memory limit \${limit} is below the \${used} bytes in use: device or resource busy\`,
      );
    }
    container.resources = { ...container.resources, ...Object.fromEntries(changes) };
  }

  /** Newest first, as an engine lists them. */
  list(filter: ContainerFilter | undefined): readonly ContainerRecord[] {
    return [...this.#node.containers.values()]
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

/** The engine's refusal of a name that is taken. */
export const nameConflict = (name: string, id: string): CriError =>
  new CriError(
    'Unknown',
    \`Error response from daemon: Conflict. The container name "/\${name}" is already in use by container "\${id}". You have to remove (or rename) that container to be able to reuse that name.\`,
  );
`;export{e as default};
//# sourceMappingURL=containers-BgPQIS88.js.map