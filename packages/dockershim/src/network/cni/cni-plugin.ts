/**
 * Connects pods to networks with CNI plugins. Their sandboxes are created without a network, and the plugins configure
 * the sandboxes' network namespaces. Upstream: cniNetworkPlugin (dockershim network/cni, v1.20).
 */
import { errorMessage } from '@podscope/base';
import { CriError, type DNSConfig, decideBandwidth } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { CheckpointStore } from '../../checkpoint/store.ts';
import { isNotFound, wrapError } from '../../docker/error.ts';
import type { DockerClient } from '../../docker/port.ts';
import type { NetworkPlugin, PodNetwork } from '../plugin.ts';
import { bandwidthOf, type CapabilityArgs, dnsOf, ipRangesOf, portMappingsOf } from './capabilities.ts';
import { type CniNetwork, parseNetwork } from './config.ts';
import { CniLibrary, type CniTarget } from './library.ts';
import { NetworkSource } from './network-source.ts';
import { addressesOf } from './result.ts';
import { type CachedNetwork, ResultCache } from './result-cache.ts';

const interfaceName = 'eth0';
const loopback = parseNetwork('{"cniVersion":"0.4.0","name":"cni-loopback","plugins":[{"type":"loopback"}]}');
const uninitialized = 'cni config uninitialized';

/** The directories of configurations, plugins and results. */
export interface CniOptions {
  readonly confDir: string;
  readonly binDirs: readonly string[];
  readonly cacheDir: string;
}

/** The dependencies of {@link CniNetworkPlugin}. */
export interface CniDependencies {
  readonly docker: Pick<DockerClient, 'inspectContainer'>;
  readonly checkpoints: CheckpointStore;
}

/** The network plugin `cni`. It takes the addresses of a pod from the result of ADD. */
export class CniNetworkPlugin implements NetworkPlugin {
  readonly name = 'cni';
  readonly networkMode = 'none';
  readonly #docker: CniDependencies['docker'];
  readonly #checkpoints: CheckpointStore;
  readonly #cache: ResultCache;
  readonly #library: CniLibrary;
  readonly #source: NetworkSource;
  readonly #addresses = new Map<string, readonly string[]>();
  #podCidr: string | undefined;

  constructor({ docker, checkpoints }: CniDependencies, options: CniOptions) {
    this.#docker = docker;
    this.#checkpoints = checkpoints;
    this.#cache = new ResultCache(options.cacheDir);
    this.#library = new CniLibrary(options.binDirs, this.#cache);
    this.#source = new NetworkSource(options.confDir, this.#library);
  }

  async setUpPod(
    ctx: Context,
    pod: PodNetwork,
    annotations: Readonly<Record<string, string>>,
    options: Readonly<Record<string, string>>,
  ): Promise<void> {
    const network = await this.#ready(ctx);
    const netns = await this.#netns(ctx, pod);
    const bandwidth = bandwidthOf(annotations);
    const capable = network.plugins.filter(({ capabilities }) => capabilities?.['bandwidth'] === true);
    decideBandwidth(ctx, annotations, {
      plugin: 'cni',
      capable: capable.map(({ type }) => type),
      otherwise: 'no plugin of the network has the capability bandwidth',
    });
    const capabilities: CapabilityArgs = {
      ...(await this.#lastingCapabilities(pod.sandboxId)),
      ...(bandwidth ? { bandwidth } : {}),
      ...(options['dns'] ? { dns: dnsOf(JSON.parse(options['dns']) as DNSConfig) } : {}),
    };
    const target = targetOf(pod, netns);
    await this.#library.add(ctx, loopback, { ...target, ifName: 'lo' }, {});
    const result = await this.#library.add(ctx, network, target, capabilities);
    this.#addresses.set(pod.sandboxId, addressesOf(result));
  }

  /**
   * Tears down the network of a pod with the configuration that set it up. Without a cached result, uses the current
   * configuration.
   */
  async tearDownPod(ctx: Context, pod: PodNetwork): Promise<void> {
    // The namespace may no longer exist. Its devices have disappeared with it, but addresses and rules still have to be
    // released.
    const netns = await this.#netns(ctx, pod).catch(() => '');
    const cached = await this.#cache.list(pod.sandboxId);
    for (const entry of cached) await this.#undo(ctx, entry, netns);
    if (!cached.some(isPodInterface)) await this.#undoUnknown(ctx, targetOf(pod, netns));
    this.#addresses.delete(pod.sandboxId);
  }

  async podIPs(ctx: Context, pod: PodNetwork): Promise<readonly string[]> {
    const known = this.#addresses.get(pod.sandboxId);
    if (known) return known;
    // If an earlier process set the network up, CHECK shows whether it is unchanged.
    const entry = (await this.#cache.list(pod.sandboxId)).find(isPodInterface);
    if (!entry) return [];
    const netns = await this.#netns(ctx, pod).catch(() => '');
    if (!netns) return [];
    await this.#library.check(ctx, entry, { ...targetOf(pod, netns), args: entry.args }).catch((error: unknown) => {
      const message = `The network of pod ${pod.namespace}/${pod.name} is not as it was set up: ${errorMessage(error)}`;
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    });
    const addresses = addressesOf(entry.result);
    this.#addresses.set(pod.sandboxId, addresses);
    return addresses;
  }

  async status(ctx: Context): Promise<void> {
    await this.#library.status(ctx, await this.#ready(ctx));
  }

  /** Keeps the first CIDR and ignores later ones. Upstream: Event (dockershim network/cni, v1.20). */
  podCidrChanged(_ctx: Context, podCidr: string): Promise<void> {
    this.#podCidr ??= podCidr;
    return Promise.resolve();
  }

  /**
   * Tears down the networks of removed sandboxes.
   * @param isKnown returns true for a sandbox that still exists
   */
  async removeLeftovers(ctx: Context, isKnown: (sandboxId: string) => boolean): Promise<void> {
    const lost = (await this.#cache.list()).filter(({ containerId }) => !isKnown(containerId));
    const whole = new Set(lost.filter(isPodInterface).map(({ containerId }) => containerId));
    for (const entry of lost) {
      const { containerId, args } = entry;
      const undo = async (): Promise<void> => {
        await this.#undo(ctx, entry, '');
        if (!whole.has(containerId))
          await this.#undoUnknown(ctx, { containerId, netns: '', ifName: interfaceName, args });
      };
      await undo().catch((error: unknown) => {
        const message = `The network of the lost sandbox ${containerId} cannot be taken back: ${errorMessage(error)}`;
        ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
      });
    }
  }

  /**
   * Tears down a network that has no cached result, because ADD failed in the middle of the chain or the process was
   * killed.
   */
  async #undoUnknown(ctx: Context, target: CniTarget): Promise<void> {
    const network = await this.#source.current(ctx);
    if (network) await this.#del(ctx, network, target, await this.#lastingCapabilities(target.containerId));
  }

  async #undo(ctx: Context, entry: CachedNetwork, netns: string): Promise<void> {
    const { containerId, ifName, args, network } = entry;
    const { bandwidth: _unneeded, ...capabilities } = entry.capabilityArgs;
    await this.#del(ctx, network, { containerId, netns, ifName, args }, capabilities, entry);
  }

  async #del(
    ctx: Context,
    network: CniNetwork,
    target: CniTarget,
    capabilities: CapabilityArgs,
    cached?: CachedNetwork,
  ): Promise<void> {
    try {
      await this.#library.del(ctx, network, target, capabilities, cached);
    } catch (error) {
      // The namespace may have disappeared after it was looked up.
      if (!(error instanceof Error) || !error.message.includes('no such file or directory')) throw error;
      await this.#cache.remove({ network, containerId: target.containerId, ifName: target.ifName });
    }
  }

  /**
   * Returns the current network.
   * @throws CriError FailedPrecondition if no configuration is valid
   */
  async #ready(ctx: Context): Promise<CniNetwork> {
    const network = await this.#source.current(ctx);
    if (!network)
      throw new CriError(
        'FailedPrecondition',
        this.#source.problem ? `${uninitialized}: ${this.#source.problem}` : uninitialized,
      );
    const wantsRanges = network.plugins.some(({ capabilities }) => capabilities?.['ipRanges'] === true);
    if (wantsRanges && !this.#podCidr)
      throw new CriError('FailedPrecondition', 'cni config needs ipRanges but no PodCIDR set');
    return network;
  }

  async #netns(ctx: Context, { sandboxId }: PodNetwork): Promise<string> {
    const { State } = await this.#docker.inspectContainer(ctx, { id: sandboxId }).catch((error: unknown) => {
      throw isNotFound(error) ? error : wrapError('CNI failed to retrieve network namespace path', error);
    });
    if (State.Pid > 0) return `/proc/${State.Pid}/ns/net`;
    const text =
      'CNI failed to retrieve network namespace path: cannot find network namespace for the terminated container ' +
      goQuote(sandboxId);
    throw new CriError('FailedPrecondition', text);
  }

  /** Returns the capability arguments that both ADD and DEL need. */
  async #lastingCapabilities(sandboxId: string): Promise<CapabilityArgs> {
    const checkpoint = await this.#checkpoints.get(sandboxId).catch((error: unknown) => {
      throw wrapError('could not retrieve port mappings', error);
    });
    return {
      portMappings: portMappingsOf(checkpoint?.portMappings ?? []),
      ...(this.#podCidr ? { ipRanges: ipRangesOf(this.#podCidr) } : {}),
    };
  }
}

const isPodInterface = ({ ifName }: CachedNetwork): boolean => ifName === interfaceName;

function targetOf({ namespace, name, sandboxId }: PodNetwork, netns: string): CniTarget {
  const args = [
    ['IgnoreUnknown', '1'],
    ['K8S_POD_NAMESPACE', namespace],
    ['K8S_POD_NAME', name],
    ['K8S_POD_INFRA_CONTAINER_ID', sandboxId],
  ] as const;
  return { containerId: sandboxId, netns, ifName: interfaceName, args };
}
