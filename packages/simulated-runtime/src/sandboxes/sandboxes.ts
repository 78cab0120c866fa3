/**
 * Runs, stops, removes and lists the pod sandboxes of the simulated runtime. Upstream: dockershim docker_sandbox.go
 * (v1.20).
 */
import { errorMessage, readImageReference } from '@podscope/base';
import { CriError, type PodSandboxConfig, type PodSandboxFilter, type RunPodSandboxRequest } from '@podscope/cri';
import { simulatedRunPodSandboxPoints } from '@podscope/flow';
import { type Context, withoutCancel } from '@podscope/trace';
import { type Containers, nameConflict } from '../containers/containers.ts';
import { pullImage } from '../images/pull-image.ts';
import { matchesLabels, type SimulatedNode } from '../node.ts';
import type { Records } from '../records.ts';
import { SimulatedSandbox } from './sandbox.ts';

export class Sandboxes {
  readonly #records: Records;
  readonly #node: SimulatedNode;
  readonly #containers: Containers;

  constructor(records: Records, containers: Containers) {
    this.#records = records;
    this.#node = records.node;
    this.#containers = containers;
  }

  /**
   * Image, create, start, network. If a step fails, the steps before it are undone. Upstream: dockershim RunPodSandbox
   * (v1.20).
   */
  async run(ctx: Context, { config, runtimeHandler = '' }: RunPodSandboxRequest): Promise<string> {
    if (!config?.metadata?.name)
      throw new CriError(
        'InvalidArgument',
        'sandbox config has no metadata: name, namespace, uid and attempt are required',
      );
    const { tracer } = ctx;
    const pod = config.metadata.name;
    const { sandboxImage } = this.#node;
    await tracer.span(ctx, simulatedRunPodSandboxPoints.ensureSandboxImage, { image: sandboxImage }, (inner) =>
      this.#ensureImage(inner),
    );
    const sandbox = await tracer.span(
      ctx,
      simulatedRunPodSandboxPoints.createSandboxContainer,
      { pod, runtimeHandler },
      async (inner) => {
        const created = this.#create(config, runtimeHandler);
        inner.span.set({ id: created.id });
        return created;
      },
    );
    try {
      await tracer.span(ctx, simulatedRunPodSandboxPoints.startSandboxContainer, { id: sandbox.id }, async (inner) => {
        await this.#node.take(inner, 'RunPodSandbox');
      });
      await tracer.span(
        ctx,
        simulatedRunPodSandboxPoints.setUpSandboxNetwork,
        { id: sandbox.id, hostNetwork: sandbox.hostNetwork },
        async (inner) => {
          await sandbox.attachNetwork(inner);
          inner.span.set({ ip: sandbox.network?.ip });
        },
      );
      // Ready means that it can take containers, which need its network: a ready sandbox always has an address.
      sandbox.start();
    } catch (error) {
      await sandbox.detachNetwork(withoutCancel(ctx)).catch(() => undefined);
      this.#forget(sandbox);
      throw error;
    }
    return sandbox.id;
  }

  #create(config: PodSandboxConfig, runtimeHandler: string): SimulatedSandbox {
    const node = this.#node;
    const { name, namespace, uid, attempt } = config.metadata;
    if (runtimeHandler !== '' && !node.runtimeHandlers.includes(runtimeHandler)) {
      throw new CriError('InvalidArgument', `RuntimeHandler "${runtimeHandler}" not supported`);
    }
    const existing = [...this.#records.sandboxes.values()].find((sandbox) => sandbox.isFor(config));
    if (existing) {
      const conflict = nameConflict(`k8s_POD_${name}_${namespace}_${uid}_${attempt}`, existing.id);
      throw new CriError('Unknown', `failed to create a sandbox for pod "${name}": ${conflict.message}`);
    }
    const sandbox = new SimulatedSandbox(this.#records, config, runtimeHandler);
    this.#records.sandboxes.set(sandbox.id, sandbox);
    this.#records.events.publish('CONTAINER_CREATED_EVENT', sandbox.id, sandbox.id);
    return sandbox;
  }

  /** Stops the containers, ends the pause process, disconnects the network. Succeeds if all of this is done already. */
  async stop(ctx: Context, id: string): Promise<void> {
    const sandbox = this.#records.sandboxes.get(id);
    if (!sandbox) return;
    await Promise.all(this.#records.containersOf(id).map((container) => this.#containers.stop(ctx, container.id, 0)));
    await sandbox.detachNetwork(ctx);
    sandbox.end();
  }

  async remove(ctx: Context, id: string): Promise<void> {
    const sandbox = this.#records.sandboxes.get(id);
    if (!sandbox) return;
    await this.stop(ctx, id);
    for (const container of this.#records.containersOf(id)) await this.#containers.remove(ctx, container.id);
    this.#forget(sandbox);
  }

  /** Newest first, as an engine lists them. */
  list(filter: PodSandboxFilter | undefined): readonly SimulatedSandbox[] {
    return [...this.#records.sandboxes.values()]
      .filter(
        ({ id, state, config }) =>
          (!filter?.id || id === filter.id) &&
          (!filter?.state || state === filter.state.state) &&
          matchesLabels(config.labels ?? {}, filter?.labelSelector),
      )
      .toReversed();
  }

  #forget(sandbox: SimulatedSandbox): void {
    if (this.#records.sandboxes.delete(sandbox.id))
      this.#records.events.publish('CONTAINER_DELETED_EVENT', sandbox.id, sandbox.id);
  }

  /** The sandbox image is pulled with the node's own credentials: none. */
  async #ensureImage(ctx: Context): Promise<void> {
    const node = this.#node;
    const reference = readImageReference(node.sandboxImage);
    if (!reference || node.images.find(node.sandboxImage)) return;
    try {
      await pullImage(ctx, node, reference);
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError('Unknown', `failed pulling image "${node.sandboxImage}": ${errorMessage(error)}`);
    }
  }
}
