/**
 * Runs, stops, removes and lists the pod sandboxes of the simulated runtime. Upstream: dockershim docker_sandbox.go
 * (v1.20).
 */
import { errorMessage, readImageReference } from '@podscope/base';
import {
  CriError,
  type PodSandboxConfig,
  type PodSandboxFilter,
  type PodSandboxMetadata,
  type RunPodSandboxRequest,
} from '@podscope/cri';
import { checkpointOf, serializeCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { simulatedRunPodSandboxPoints as steps } from '@podscope/flow';
import { type Context, type SpanContext, withoutCancel } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import type { Containers } from '../containers/containers.ts';
import { createWithRecovery, NameConflictError } from '../engine/create-with-recovery.ts';
import { dockerCall } from '../engine/docker-calls.ts';
import { pullImage } from '../images/pull-image.ts';
import { matchesLabels, type SimulatedNode } from '../node.ts';
import type { Records } from '../records.ts';
import { SimulatedSandbox } from './sandbox.ts';

/** The grace period of a sandbox, in seconds. */
const stopGraceSeconds = 10;

/** The permission bits of a checkpoint file. Upstream: FileStore (v1.20), which renames a temporary file. */
const checkpointMode = 0o600;

/** Returns Docker's name for a sandbox. Upstream: makeSandboxName (dockershim naming.go, v1.20). */
const sandboxName = ({ name, namespace, uid, attempt }: PodSandboxMetadata): string =>
  `k8s_POD_${name}_${namespace}_${uid}_${attempt}`;

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
   * Runs the five steps of dockershim and returns the sandbox's id. If a step fails, removes the objects of the earlier
   * steps. Upstream: dockershim RunPodSandbox (v1.20).
   */
  async run(ctx: Context, { config, runtimeHandler = '' }: RunPodSandboxRequest): Promise<string> {
    if (!config?.metadata?.name)
      throw new CriError(
        'InvalidArgument',
        'sandbox config has no metadata: name, namespace, uid and attempt are required',
      );
    const { tracer } = ctx;
    const { sandboxImage } = this.#node;
    await tracer.span(ctx, steps.ensureSandboxImage, { image: sandboxImage }, (inner) => this.#ensureImage(inner));
    const name = sandboxName(config.metadata);
    const sandbox = await tracer.span(ctx, steps.createSandboxContainer, { name, image: sandboxImage }, (inner) =>
      this.#create(inner, config, runtimeHandler),
    );
    const { id } = sandbox;
    try {
      await tracer.span(ctx, steps.createSandboxCheckpoint, { podSandboxId: id }, (inner) =>
        this.#writeCheckpoint(inner, sandbox),
      );
      await tracer.span(ctx, steps.startSandboxContainer, { podSandboxId: id }, (inner) => this.#start(inner, sandbox));
      await tracer.span(
        ctx,
        steps.setUpSandboxNetwork,
        { podSandboxId: id, plugin: 'cni', hostNetwork: sandbox.hostNetwork },
        (inner) => this.#setUpNetwork(inner, sandbox),
      );
      // Containers need the sandbox's network, so the sandbox becomes ready only now.
      sandbox.start();
    } catch (error) {
      const cleanup = withoutCancel(ctx);
      await sandbox.detachNetwork(cleanup).catch(() => undefined);
      await this.#removeSandbox(cleanup, sandbox);
      throw error;
    }
    return id;
  }

  /**
   * Creates the sandbox's container.
   * @throws CriError when the handler is unknown or the name is in use
   */
  async #create(ctx: SpanContext, config: PodSandboxConfig, runtimeHandler: string): Promise<SimulatedSandbox> {
    const node = this.#node;
    if (runtimeHandler !== '') {
      await dockerCall(ctx, 'info', {}, () => undefined);
      if (!node.runtimeHandlers.includes(runtimeHandler))
        throw new CriError('InvalidArgument', `RuntimeHandler "${runtimeHandler}" not supported`);
    }
    const name = sandboxName(config.metadata);
    const body = (): unknown => ({
      Hostname: config.hostname ?? '',
      Image: node.sandboxImage,
      HostConfig: {
        NetworkMode: config.linux?.securityContext?.namespaceOptions?.network === 'NODE' ? 'host' : 'none',
        ...(config.linux?.cgroupParent ? { CgroupParent: config.linux.cgroupParent } : {}),
        ...(runtimeHandler ? { Runtime: runtimeHandler } : {}),
      },
    });
    try {
      const sandbox = await createWithRecovery(ctx, {
        name,
        body,
        create: () => {
          const existing = [...this.#records.sandboxes.values()].find((each) => each.isFor(config));
          if (existing) throw new NameConflictError(name, existing.id);
          const created = new SimulatedSandbox(this.#records, config, runtimeHandler);
          this.#records.sandboxes.set(created.id, created);
          return created;
        },
        remove: (id) => {
          const existing = this.#records.sandboxes.get(id);
          if (!existing || existing.ready) throw new CriError('Unknown', `container ${id} is running`);
          this.#forget(existing);
        },
      });
      ctx.span.set({ podSandboxId: sandbox.id });
      this.#records.events.publish('CONTAINER_CREATED_EVENT', sandbox.id, sandbox.id);
      return sandbox;
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError(
        'Unknown',
        `failed to create a sandbox for pod "${config.metadata.name}": ${errorMessage(error)}`,
      );
    }
  }

  async #writeCheckpoint(ctx: SpanContext, { id, config }: SimulatedSandbox): Promise<void> {
    ctx.signal.throwIfAborted();
    const path = this.#node.checkpointPath(id);
    const content = serializeCheckpoint(checkpointOf(config));
    ctx.span.set({ path, content });
    await this.#node.hostFiles.mkdirAll(path.slice(0, path.lastIndexOf('/')), 0o755);
    await this.#node.hostFiles.writeFile(path, content, checkpointMode);
  }

  async #start(ctx: Context, { id, config: { dnsConfig } }: SimulatedSandbox): Promise<void> {
    await dockerCall(ctx, 'startContainer', { id }, (inner) => this.#node.take(inner, 'RunPodSandbox'));
    const isRewritten = dnsConfig !== undefined;
    ctx.tracer.decide(
      ctx,
      'startSandbox.resolvConf',
      { podSandboxId: id, dnsConfig, hasLocalFiles: true },
      isRewritten
        ? "yes: write the pod's DNS configuration into it"
        : 'no: the pod has no DNS configuration of its own',
      isRewritten,
    );
    if (isRewritten) await dockerCall(ctx, 'inspectContainer', { id }, () => undefined);
  }

  async #setUpNetwork(ctx: SpanContext, sandbox: SimulatedSandbox): Promise<void> {
    const { id, hostNetwork } = sandbox;
    const decide = (outcome: string): void =>
      ctx.tracer.decide(ctx, 'runPodSandbox.networkReady', { podSandboxId: id, plugin: 'cni', hostNetwork }, outcome);
    try {
      await sandbox.attachNetwork(ctx);
    } catch (error) {
      decide('no: the plugin failed');
      throw error;
    }
    decide(hostNetwork ? 'yes: it is that of the node' : 'yes: the plugin has set it up');
    ctx.span.set({ ip: sandbox.network?.ip });
  }

  /**
   * Stops the containers, disconnects the network and ends the pause process. Succeeds if all of that has already been
   * done.
   */
  async stop(ctx: Context, id: string): Promise<void> {
    const sandbox = await this.#inspect(ctx, id);
    if (!sandbox) {
      await this.#node.take(ctx, 'StopPodSandbox');
      await this.#node.hostFiles.removeAll(this.#node.checkpointPath(id));
      return;
    }
    await this.#stop(ctx, sandbox);
  }

  async #stop(ctx: Context, sandbox: SimulatedSandbox): Promise<void> {
    const { id } = sandbox;
    const all = await this.#listContainers(ctx, id, false);
    const running = all.filter((container) => container.running);
    await Promise.all(
      running.map((container) =>
        dockerCall(ctx, 'stopContainer', { id: container.id, query: { t: 0 } }, (inner) =>
          this.#containers.stop(inner, container.id, 0),
        ),
      ),
    );
    await sandbox.detachNetwork(ctx);
    await dockerCall(ctx, 'stopContainer', { id, query: { t: stopGraceSeconds } }, async (inner) => {
      await this.#node.take(inner, 'StopPodSandbox');
      sandbox.end();
    });
  }

  /** Stops a sandbox, then removes it with its containers, network and checkpoint. Upstream: RemovePodSandbox. */
  async remove(ctx: Context, id: string): Promise<void> {
    const sandbox = await this.#inspect(ctx, id);
    if (!sandbox) {
      await this.#node.take(ctx, 'RemovePodSandbox');
      return;
    }
    if (sandbox.ready || sandbox.network) await this.#stop(ctx, sandbox);
    for (const container of await this.#listContainers(ctx, id, true))
      await dockerCall(ctx, 'removeContainer', { id: container.id, query: { force: 1, v: 1 } }, (inner) =>
        this.#containers.remove(inner, container.id),
      );
    await this.#removeSandbox(ctx, sandbox, () => this.#node.take(ctx, 'RemovePodSandbox'));
  }

  /** Returns the sandbox, or undefined if it doesn't exist. */
  #inspect(ctx: Context, id: string): Promise<SimulatedSandbox | undefined> {
    return dockerCall(ctx, 'inspectContainer', { id }, () => {
      const sandbox = this.#records.sandboxes.get(id);
      if (sandbox) return sandbox;
      throw new CriError('NotFound', `Error: No such container: ${id}`);
    }).catch((error: unknown) => {
      if (error instanceof CriError && error.code === 'NotFound') return undefined;
      throw error;
    });
  }

  #listContainers(ctx: Context, id: string, all: boolean): Promise<readonly SimulatedContainer[]> {
    const filters = JSON.stringify({ label: [`io.kubernetes.sandbox.id=${id}`] });
    return dockerCall(ctx, 'listContainers', { query: { ...(all ? { all: 1 } : {}), filters } }, () =>
      this.#records.containersOf(id),
    );
  }

  /** Removes the sandbox's container, then its checkpoint. */
  async #removeSandbox(
    ctx: Context,
    sandbox: SimulatedSandbox,
    before: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { id } = sandbox;
    await dockerCall(ctx, 'removeContainer', { id, query: { force: 1, v: 1 } }, async () => {
      await before();
      this.#forget(sandbox);
    });
    await this.#node.hostFiles.removeAll(this.#node.checkpointPath(id));
  }

  /** Returns the sandboxes that match, the newest first, as an engine lists them. */
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

  /** Removes the record of a sandbox. */
  #forget(sandbox: SimulatedSandbox): void {
    if (this.#records.sandboxes.delete(sandbox.id))
      this.#records.events.publish('CONTAINER_DELETED_EVENT', sandbox.id, sandbox.id);
  }

  /** Pulls the sandbox image if it is absent. The node has no credentials for it. */
  async #ensureImage(ctx: Context): Promise<void> {
    const node = this.#node;
    const reference = readImageReference(node.sandboxImage);
    const isPresent = await dockerCall(ctx, 'inspectImage', { id: node.sandboxImage }, () => {
      if (!reference || node.images.find(node.sandboxImage)) return true;
      throw new CriError('NotFound', `Error: No such image: ${node.sandboxImage}`);
    }).catch((error: unknown) => {
      if (error instanceof CriError && error.code === 'NotFound') return false;
      throw error;
    });
    if (isPresent || !reference) return;
    try {
      await dockerCall(ctx, 'pullImage', { query: { fromImage: node.sandboxImage } }, (inner) =>
        pullImage(inner, node, reference),
      );
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError('Unknown', `failed pulling image "${node.sandboxImage}": ${errorMessage(error)}`);
    }
  }
}
