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
import { labelFilters, unlessMissing } from '../engine/engine.ts';
import { engineReference, pullImage, pullQuery } from '../images/pull-image.ts';
import { matchesLabels, type SimulatedNode } from '../node.ts';
import type { Operation } from '../operations.ts';
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
   * Runs the five steps of dockershim and returns the sandbox's id. If a step fails, v1.36 removes the objects of the
   * earlier steps. v1.20 leaves them to the kubelet. Upstream: dockershim RunPodSandbox (v1.20).
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
      sandbox.reportCreation();
      if (this.#node.release === 'v1.20') throw error;
      const cleanup = withoutCancel(ctx);
      await sandbox.detachNetwork(cleanup).catch(() => undefined);
      await this.#removeSandbox(cleanup, sandbox);
      throw error;
    }
    return id;
  }

  /**
   * Returns the engine's runtime for a runtime handler; empty for the default handler, which is also named `docker`. In
   * v1.20 no other handler exists.
   * @throws CriError with the text of the release's dockershim for an unknown handler
   */
  async #checkRuntimeHandler(ctx: Context, handler: string): Promise<string> {
    const { release, runtimeHandlers } = this.#node;
    if (handler === '' || handler === 'docker') return '';
    if (release === 'v1.20') throw new CriError('Unknown', `RuntimeHandler "${handler}" not supported`);
    await this.#records.engine.info(ctx);
    if (runtimeHandlers.includes(handler)) return handler;
    throw new CriError('InvalidArgument', `failed to get sandbox runtime: no runtime for "${handler}" is configured`);
  }

  /**
   * Creates the sandbox's container.
   * @throws CriError when the handler is unknown or the name is in use
   */
  async #create(ctx: SpanContext, config: PodSandboxConfig, runtimeHandler: string): Promise<SimulatedSandbox> {
    const node = this.#node;
    const runtime = await this.#checkRuntimeHandler(ctx, runtimeHandler);
    const name = sandboxName(config.metadata);
    const body = (): unknown => ({
      Hostname: config.hostname ?? '',
      Image: node.sandboxImage,
      HostConfig: {
        NetworkMode: config.linux?.securityContext?.namespaceOptions?.network === 'NODE' ? 'host' : 'none',
        ...(config.linux?.cgroupParent ? { CgroupParent: config.linux.cgroupParent } : {}),
        ...(runtime ? { Runtime: runtime } : {}),
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
        inspect: (inner, id) => this.#records.engine.inspectSandbox(inner, id),
        remove: (id) => {
          const existing = this.#records.sandboxes.get(id);
          if (!existing || existing.ready) throw new CriError('Unknown', `container ${id} is running`);
          this.#forget(existing);
        },
      });
      ctx.span.set({ podSandboxId: sandbox.id });
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
    if (isRewritten) await this.#records.engine.inspectSandbox(ctx, id);
  }

  async #setUpNetwork(ctx: SpanContext, sandbox: SimulatedSandbox): Promise<void> {
    const { id, hostNetwork } = sandbox;
    const decide = (outcome: string): void =>
      ctx.tracer.decide(ctx, 'runPodSandbox.networkReady', { podSandboxId: id, plugin: 'cni', hostNetwork }, outcome);
    try {
      await sandbox.attachNetwork(ctx);
    } catch (error) {
      if (this.#node.release === 'v1.20') {
        await dockerCall(ctx, 'stopContainer', { id, query: { t: stopGraceSeconds } }, () => Promise.resolve());
        decide('yes: the plugin failed, but the release looks only at the stop of the sandbox');
      } else {
        decide('no: the plugin failed');
      }
      throw error;
    }
    decide(hostNetwork ? 'yes: it is that of the node' : 'yes: the plugin has set it up');
    ctx.span.set({ ip: sandbox.network?.ip });
  }

  /**
   * Stops the containers, disconnects the network and ends the pause process. Succeeds if all of that has already been
   * done. Upstream: StopPodSandbox (v1.20), which doesn't stop the containers.
   */
  async stop(ctx: Context, id: string): Promise<void> {
    const { node, engine } = this.#records;
    const sandbox = await unlessMissing(engine.inspectSandbox(ctx, id));
    if (!sandbox) {
      await node.take(ctx, 'StopPodSandbox');
      await node.hostFiles.removeAll(node.checkpointPath(id));
      return;
    }
    if (node.release === 'v1.36') {
      const running = await this.#containersOf(ctx, id, false);
      await Promise.all(running.map((container) => this.#containers.stop(ctx, container.id, 0)));
    }
    await sandbox.detachNetwork(ctx);
    await dockerCall(ctx, 'stopContainer', { id, query: { t: stopGraceSeconds } }, async (inner) => {
      await node.take(inner, 'StopPodSandbox');
      sandbox.end();
    });
  }

  /**
   * Removes a sandbox with its containers, network and checkpoint. v1.36 stops it first. Upstream: RemovePodSandbox
   * (v1.20).
   */
  async remove(ctx: Context, id: string): Promise<void> {
    const { node, engine } = this.#records;
    let sandbox: SimulatedSandbox | undefined;
    if (node.release === 'v1.36') {
      sandbox = await unlessMissing(engine.inspectSandbox(ctx, id));
      if (!sandbox || sandbox.ready || (sandbox.network && !sandbox.hostNetwork)) await this.stop(ctx, id);
      const all = await this.#containersOf(ctx, id, true);
      await Promise.all(all.map((container) => this.#containers.removeForGood(ctx, container.id)));
    } else {
      for (const container of await this.#containersOf(ctx, id, true)) await this.#containers.remove(ctx, container.id);
      sandbox = this.#records.sandboxes.get(id) ?? (await unlessMissing(engine.inspectSandbox(ctx, id)));
    }
    if (sandbox) await this.#removeSandbox(ctx, sandbox, () => node.take(ctx, 'RemovePodSandbox'));
    else await node.take(ctx, 'RemovePodSandbox');
  }

  /** Lists the containers of a sandbox. */
  #containersOf(ctx: Context, id: string, all: boolean): Promise<readonly SimulatedContainer[]> {
    const { engine, node } = this.#records;
    const label =
      node.release === 'v1.36' ? engine.labelsOf('container', id) : [`io.kubernetes.sandbox.id=${id}`, engine.ownLabel];
    return engine.listContainers(ctx, {
      all,
      filters: { label },
      find: () => this.#records.containersOf(id).filter((container) => all || container.running),
    });
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
  list(
    ctx: Context,
    filter: PodSandboxFilter | undefined,
    operation?: Operation,
  ): Promise<readonly SimulatedSandbox[]> {
    const { engine, sandboxes } = this.#records;
    const state = filter?.state?.state;
    return engine.listContainers(ctx, {
      all: state !== 'SANDBOX_READY',
      filters: {
        label: [...engine.labelsOf('podsandbox'), ...labelFilters(filter?.labelSelector)],
        ...(filter?.id ? { id: [filter.id] } : {}),
      },
      ...(operation && { operation }),
      find: () =>
        [...sandboxes.values()]
          .filter(
            (sandbox) =>
              (!filter?.id || sandbox.id === filter.id) &&
              (!state || sandbox.state === state) &&
              matchesLabels(sandbox.config.labels ?? {}, filter?.labelSelector),
          )
          .toReversed(),
    });
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
    const found = await unlessMissing(
      this.#records.engine.inspectImage(ctx, engineReference(node.sandboxImage, node.release) ?? ''),
    );
    if (found || !reference) return;
    try {
      await dockerCall(ctx, 'pullImage', { query: pullQuery(reference) }, (inner) => pullImage(inner, node, reference));
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError('Unknown', `failed pulling image "${node.sandboxImage}": ${errorMessage(error)}`);
    }
  }
}
