/** Implements a pod sandbox of the simulated runtime: its state, namespaces and network. */
import { aggregateText, errorMessage } from '@podscope/base';
import {
  CriError,
  decideBandwidth,
  type NamespaceOption,
  type PodSandbox,
  type PodSandboxConfig,
  type PodSandboxState,
  type PodSandboxStatus,
} from '@podscope/cri';
import { type Context, type Instant, type SpanContext, toNanoseconds, withoutCancel } from '@podscope/trace';
import { cniCall } from '../engine/docker-calls.ts';
import { sysctlsOf } from '../kernel/kernel.ts';
import type { NetworkStack } from '../network/pod-network.ts';
import { type SimulatedNode } from '../node.ts';
import type { ContainerEvents } from '../service/container-events.ts';
import { SandboxNamespaces } from './sandbox-namespaces.ts';

/** The namespace modes of a sandbox or container whose configuration has no namespace options: CRI's defaults. */
export const defaultNamespaces: NamespaceOption = { network: 'POD', pid: 'POD', ipc: 'POD' };

interface SandboxEngine {
  /** @throws CriError NotFound */
  inspectSandbox(ctx: Context, id: string): Promise<unknown>;
}

export interface SandboxDependencies {
  readonly node: SimulatedNode;
  readonly events: ContainerEvents;
  /** The calls that the CNI plugin makes to the engine. */
  readonly engine: SandboxEngine;
}

export class SimulatedSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly runtimeHandler: string;
  readonly createdAt: Instant;
  state: PodSandboxState = 'SANDBOX_NOTREADY';
  /** The pod's network stack; undefined before the network is set up and after it is torn down. */
  network: NetworkStack | undefined;
  /** True after a failed setup in v1.20, which counts such a network as ready, so that it is torn down once more. */
  #countsAsReady = false;
  readonly namespaces: SandboxNamespaces;
  /** The kernel parameters that the pod's containers see. */
  readonly sysctls: Map<string, string>;
  readonly #node: SimulatedNode;
  readonly #events: ContainerEvents;
  readonly #engine: SandboxEngine;

  constructor({ node, events, engine }: SandboxDependencies, config: PodSandboxConfig, runtimeHandler: string) {
    this.#node = node;
    this.#events = events;
    this.#engine = engine;
    this.id = node.newId();
    this.config = config;
    this.runtimeHandler = runtimeHandler;
    this.createdAt = node.clock.now();
    this.sysctls = sysctlsOf({ 'kernel.hostname': this.hostname, ...config.linux?.sysctls });
    this.namespaces = new SandboxNamespaces(node.kernel, this.namespaceOptions, {
      argv: ['/pause'],
      // The pause program exits on these two signals and ignores the others.
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

  /** Returns whether the sandbox belongs to the pod and the attempt in `config`. */
  isFor({ metadata }: PodSandboxConfig): boolean {
    const own = this.config.metadata;
    return (
      own.uid === metadata.uid &&
      own.name === metadata.name &&
      own.namespace === metadata.namespace &&
      own.attempt === metadata.attempt
    );
  }

  /** Marks the sandbox as ready. The pause process runs from now on. */
  start(): void {
    this.state = 'SANDBOX_READY';
    this.reportCreation();
    this.#events.publish('CONTAINER_STARTED_EVENT', this.id, this.id);
  }

  /**
   * Emits the event of the sandbox's creation. It is called when RunPodSandbox ends, because EventedPLEG needs an event
   * with the sandbox's final state and IP.
   */
  reportCreation(): void {
    this.#events.publish('CONTAINER_CREATED_EVENT', this.id, this.id, this.createdAt);
  }

  /** Ends the pause process. The network is kept until {@link detachNetwork} is called. */
  end(): void {
    if (!this.ready) return;
    this.state = 'SANDBOX_NOTREADY';
    this.namespaces.end();
    this.#events.publish('CONTAINER_STOPPED_EVENT', this.id, this.id);
  }

  /**
   * Connects the pod through the CNI plugins `loopback` and `bridge`. If that fails, runs DEL, as dockershim does.
   * @throws CriError with the text of dockershim's CNI plugin
   */
  async attachNetwork(ctx: Context): Promise<void> {
    if (this.hostNetwork) {
      this.network = this.#node.network.host;
      return;
    }
    const { name, namespace } = this.config.metadata;
    const failed = (what: string, error: unknown): Error =>
      new Error(`networkPlugin cni failed ${what} pod "${name}_${namespace}" network: ${errorMessage(error)}`);
    try {
      if (!this.#node.networkReady) throw new Error('cni config uninitialized');
      await this.#engine.inspectSandbox(ctx, this.id);
      decideBandwidth(ctx, this.config.annotations ?? {}, {
        plugin: 'cni',
        capable: [],
        otherwise: 'no plugin of the network has the capability bandwidth',
      });
      await this.#cni(ctx, 'ADD', 'loopback', () => Promise.resolve());
      await this.#cni(ctx, 'ADD', 'bridge', async (inner) => {
        await this.#node.take(inner, 'CNI ADD');
        this.network = this.#node.network.attach();
        inner.span.set({ response: { ips: [{ address: this.network.ip }] } });
      });
    } catch (error) {
      this.#countsAsReady = this.#node.release === 'v1.20';
      const sandbox = `sandbox container "${this.id}" network for pod "${name}"`;
      const failures = [`failed to set up ${sandbox}: ${failed('to set up', error).message}`];
      await this.#tearDown(withoutCancel(ctx)).catch((cause: unknown) =>
        failures.push(`failed to clean up ${sandbox}: ${failed('to teardown', cause).message}`),
      );
      if (ctx.signal.aborted) throw error;
      throw new CriError('Unknown', aggregateText(failures));
    }
  }

  /**
   * Disconnects the pod. Does nothing when it isn't connected.
   * @throws CriError like {@link attachNetwork}
   */
  async detachNetwork(ctx: Context): Promise<void> {
    if (this.hostNetwork || !(this.network || this.#countsAsReady)) return;
    const { name, namespace } = this.config.metadata;
    try {
      await this.#tearDown(ctx);
      this.#countsAsReady = false;
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      throw new CriError(
        'Unknown',
        `networkPlugin cni failed to teardown pod "${name}_${namespace}" network: ${errorMessage(error)}`,
      );
    }
  }

  async #tearDown(ctx: Context): Promise<void> {
    await this.#engine.inspectSandbox(ctx, this.id).catch(() => undefined);
    if (this.#node.networkReady) {
      await this.#cni(ctx, 'DEL', 'loopback', () => Promise.resolve());
      await this.#cni(ctx, 'DEL', 'bridge', (inner) => this.#node.take(inner, 'CNI DEL'));
    }
    if (this.network) this.#node.network.detach(this.network);
    this.network = undefined;
  }

  #cni(
    ctx: Context,
    command: 'ADD' | 'DEL',
    plugin: 'loopback' | 'bridge',
    work: (ctx: SpanContext) => Promise<void>,
  ): Promise<void> {
    const ifName = plugin === 'loopback' ? 'lo' : 'eth0';
    return cniCall(ctx, { command, plugin, ifName, sandboxId: this.id, pod: this.config.metadata }, work);
  }

  status(): PodSandboxStatus {
    return {
      ...this.summary(),
      network: { ip: this.ready && !this.hostNetwork ? (this.network?.ip ?? '') : '', additionalIps: [] },
      linux: { namespaces: { options: this.namespaceOptions } },
    };
  }

  summary(): PodSandbox {
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
