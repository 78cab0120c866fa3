/** One pod sandbox of the simulated runtime. */

import type { ContainerEventType } from '@podscope/cri';
import { CriError, type NamespaceOption, type PodSandbox, type PodSandboxConfig, type PodSandboxState, type PodSandboxStatus } from '@podscope/cri';
import { type Context, type Instant, toNanoseconds } from '@podscope/trace';
import { sysctlsOf } from './kernel/kernel.ts';
import { AddressesExhaustedError, type NetworkStack } from './network.ts';
import { messageOf, type SimulatedNode } from './node.ts';
import { SandboxNamespaces } from './sandbox-namespaces.ts';

const defaultNamespaces: NamespaceOption = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' };

export class SandboxRecord {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly runtimeHandler: string;
  readonly createdAt: Instant;
  state: PodSandboxState = 'SANDBOX_NOTREADY';
  /** The pod's network; undefined before it is set up and after it is torn down. */
  network: NetworkStack | undefined;
  readonly namespaces: SandboxNamespaces;
  /** The kernel's parameters as its containers see them. */
  readonly sysctls: Map<string, string>;
  readonly #node: SimulatedNode;

  constructor(node: SimulatedNode, config: PodSandboxConfig, runtimeHandler: string) {
    this.#node = node;
    this.id = node.newId();
    this.config = config;
    this.runtimeHandler = runtimeHandler;
    this.createdAt = node.clock.now();
    this.sysctls = sysctlsOf(config.linux?.sysctls);
    this.namespaces = new SandboxNamespaces(node.kernel, this.namespaceOptions, {
      argv: ['/pause'],
      // What the pause program ends at.
      onSignal: (signal) => {
        if (signal === 'TERM' || signal === 'INT') this.end();
      },
    });
  }

  get ready(): boolean {
    return this.state === 'SANDBOX_READY';
  }

  get hostname(): string {
    const { hostname, metadata } = this.config;
    return hostname || (this.hostNetwork ? 'node' : metadata.name);
  }

  get namespaceOptions(): NamespaceOption {
    return this.config.linux?.securityContext?.namespaceOptions ?? defaultNamespaces;
  }

  get hostNetwork(): boolean {
    return this.namespaceOptions.network === 'NODE';
  }

  /** True when it is that attempt of that pod. */
  isFor({ metadata }: PodSandboxConfig): boolean {
    const own = this.config.metadata;
    return own.uid === metadata.uid && own.name === metadata.name && own.namespace === metadata.namespace && own.attempt === metadata.attempt;
  }

  /** The pause process runs in its network. */
  start(): void {
    this.state = 'SANDBOX_READY';
    this.publish('CONTAINER_STARTED_EVENT');
  }

  /** The pause process ends; the network stays until it is torn down. */
  end(): void {
    if (!this.ready) return;
    this.state = 'SANDBOX_NOTREADY';
    this.namespaces.end();
    this.publish('CONTAINER_STOPPED_EVENT');
  }

  /** Has the network plugin connect it. @throws CriError in the words of the engine's CNI plugin. */
  async attachNetwork(ctx: Context): Promise<void> {
    if (this.hostNetwork) {
      this.network = this.#node.network.host;
      return;
    }
    const { name, namespace } = this.config.metadata;
    try {
      await this.#node.take(ctx, 'CNI ADD');
      if (!this.#node.networkReady) throw new Error('cni config uninitialized');
      this.network = this.#node.network.attach();
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      const cause = error instanceof AddressesExhaustedError ? error.message : messageOf(error);
      throw new CriError(
        'Unknown',
        `failed to set up sandbox container "${this.id}" network for pod "${name}": networkPlugin cni failed to set up pod "${name}_${namespace}" network: ${cause}`,
      );
    }
  }

  /** Has the network plugin disconnect it; fine when it is not connected. @throws CriError as {@link attachNetwork}. */
  async detachNetwork(ctx: Context): Promise<void> {
    if (!this.network || this.hostNetwork) return;
    const { name, namespace } = this.config.metadata;
    try {
      await this.#node.take(ctx, 'CNI DEL');
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError('Unknown', `networkPlugin cni failed to teardown pod "${name}_${namespace}" network: ${messageOf(error)}`);
    }
    if (this.network) this.#node.network.detach(this.network);
    this.network = undefined;
  }

  status(): PodSandboxStatus {
    return {
      ...this.#common(),
      network: { ip: this.ready && !this.hostNetwork ? (this.network?.ip ?? '') : '', additionalIps: [] },
      linux: { namespaces: { options: this.namespaceOptions } },
    };
  }

  summary(): PodSandbox {
    return this.#common();
  }

  /** Tells everybody who listens. */
  publish(type: ContainerEventType): void {
    this.#node.events.publish(() => ({
      containerId: this.id,
      containerEventType: type,
      createdAt: toNanoseconds(this.#node.clock.now()),
      podSandboxStatus: this.#node.sandboxes.get(this.id)?.status(),
      containersStatuses: this.#node.containersOf(this.id).map((container) => container.status()),
    }));
  }

  #common(): PodSandbox {
    return {
      id: this.id,
      metadata: this.config.metadata,
      state: this.state,
      createdAt: toNanoseconds(this.createdAt),
      labels: this.config.labels ?? {},
      annotations: this.config.annotations ?? {},
      runtimeHandler: this.runtimeHandler,
    };
  }
}
