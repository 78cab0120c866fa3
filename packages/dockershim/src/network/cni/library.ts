/**
 * Runs the plugins of a network in order. Each plugin receives the result of the one before. Upstream: libcni api.go.
 */
import { errorMessage } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { type Context, withoutCancel, withTimeout } from '@podscope/trace';
import { z } from 'zod';
import type { CapabilityArgs } from './capabilities.ts';
import type { CniNetwork, CniPluginConfig } from './config.ts';
import { type CniCommand, execPlugin, findPlugin } from './exec-plugin.ts';
import type { CniResult } from './result.ts';
import type { CachedNetwork, ResultCache } from './result-cache.ts';
import { isAtLeast, knownVersions, oldestVersion } from './versions.ts';

/** The time limit of a whole ADD or DEL, in ms. */
const timeoutMs = 220_000;
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** The container and the network namespace to which a call applies. */
export interface CniTarget {
  readonly containerId: string;
  /** The path of the network namespace; empty if the namespace no longer exists. */
  readonly netns: string;
  readonly ifName: string;
  readonly args: readonly (readonly [string, string])[];
}

const resultSchema = z.record(z.string(), z.unknown());
const versionSchema = z.object({ supportedVersions: z.array(z.string()).optional() });

/** Runs the plugins in the given directories. */
export class CniLibrary {
  readonly #binDirs: readonly string[];
  readonly #cache: ResultCache;

  constructor(binDirs: readonly string[], cache: ResultCache) {
    this.#binDirs = binDirs;
    this.#cache = cache;
  }

  /**
   * Runs ADD with each plugin, caches the result of the last one and returns it. Upstream: AddNetworkList.
   * @throws CriError with the plugin's text
   */
  async add(ctx: Context, network: CniNetwork, target: CniTarget, capabilityArgs: CapabilityArgs): Promise<CniResult> {
    if (!namePattern.test(target.containerId))
      throw new CriError('InvalidArgument', `invalid characters in containerID; ${target.containerId}`);
    if (!namePattern.test(network.name))
      throw new CriError('InvalidArgument', `invalid characters found in network name; ${network.name}`);
    // Once ADD has started, it must finish, because DEL needs the result of ADD.
    return withTimeout(withoutCancel(ctx), timeoutMs, async (inner) => {
      let result: CniResult | undefined;
      for (const plugin of network.plugins) {
        const answer = await this.#run(inner, 'ADD', network, plugin, target, capabilityArgs, result);
        result = answer === undefined ? result : resultSchema.parse(answer);
      }
      const { containerId, ifName, args } = target;
      await this.#cache.write({ containerId, ifName, network, args, capabilityArgs, result: result ?? {} });
      return result ?? {};
    });
  }

  /** Runs DEL with each plugin in reverse order. Upstream: DelNetworkList. */
  async del(
    ctx: Context,
    network: CniNetwork,
    target: CniTarget,
    capabilityArgs: CapabilityArgs,
    cached?: CachedNetwork,
  ): Promise<void> {
    const previous = cached && isAtLeast(network.cniVersion, '0.4.0') ? cached.result : undefined;
    await withTimeout(withoutCancel(ctx), timeoutMs, async (inner) => {
      for (const plugin of network.plugins.toReversed())
        await this.#run(inner, 'DEL', network, plugin, target, capabilityArgs, previous);
    });
    await this.#cache.remove({ network, containerId: target.containerId, ifName: target.ifName });
  }

  /**
   * Runs CHECK with each plugin if the version of the network has CHECK. Upstream: CheckNetworkList.
   * @throws CriError if the network has changed
   */
  async check(ctx: Context, { network, result, capabilityArgs }: CachedNetwork, target: CniTarget): Promise<void> {
    if (network.disableCheck || !isAtLeast(network.cniVersion, '0.4.0')) return;
    for (const plugin of network.plugins)
      await this.#run(ctx, 'CHECK', network, plugin, target, capabilityArgs, result);
  }

  /**
   * Runs STATUS with each plugin. A network of a version without STATUS is always ready. Upstream:
   * GetStatusNetworkList.
   * @throws CriError if the network isn't ready
   */
  async status(ctx: Context, network: CniNetwork): Promise<void> {
    if (!isAtLeast(network.cniVersion, '1.1.0')) return;
    for (const plugin of network.plugins) {
      const stdin = { ...plugin, name: network.name, cniVersion: network.cniVersion };
      const path = await findPlugin(plugin.type, this.#binDirs);
      await execPlugin(ctx, path, {
        command: 'STATUS',
        type: plugin.type,
        network: network.name,
        stdin,
        environment: this.#path(),
      });
    }
  }

  /**
   * Checks that all plugins exist and support the version of the configuration. Upstream: ValidateNetworkList.
   * @throws CriError that names the plugins that are missing or don't support the version
   */
  async validate(ctx: Context, network: CniNetwork): Promise<void> {
    const problems: string[] = [];
    if (!knownVersions.includes(network.cniVersion))
      problems.push(`unsupported CNI result version ${JSON.stringify(network.cniVersion)}`);
    for (const { type } of network.plugins) {
      try {
        const supported = await this.#versions(ctx, network, type);
        if (!supported.includes(network.cniVersion))
          problems.push(`plugin ${type} does not support config version ${JSON.stringify(network.cniVersion)}`);
      } catch (error) {
        problems.push(errorMessage(error));
      }
    }
    if (problems.length > 0) throw new CriError('FailedPrecondition', `[${problems.join(' ')}]`);
  }

  async #versions(ctx: Context, network: CniNetwork, type: string): Promise<readonly string[]> {
    const path = await findPlugin(type, this.#binDirs);
    const environment = { CNI_NETNS: 'dummy', CNI_IFNAME: 'dummy', CNI_PATH: 'dummy', CNI_CONTAINERID: 'dummy' };
    try {
      const answer = await execPlugin(ctx, path, {
        command: 'VERSION',
        type,
        network: network.name,
        stdin: { cniVersion: '1.0.0' },
        environment,
      });
      return versionSchema.parse(answer).supportedVersions ?? [oldestVersion, '0.2.0'];
    } catch (error) {
      if (error instanceof Error && error.message.includes('unknown CNI_COMMAND: VERSION')) return [oldestVersion];
      throw error;
    }
  }

  async #run(
    ctx: Context,
    command: CniCommand,
    network: CniNetwork,
    plugin: CniPluginConfig,
    { containerId, netns, ifName, args }: CniTarget,
    capabilityArgs: CapabilityArgs,
    prevResult: CniResult | undefined,
  ): Promise<unknown> {
    const declared = Object.entries(capabilityArgs).filter(([name]) => plugin.capabilities?.[name] === true);
    const stdin = {
      ...plugin,
      name: network.name,
      cniVersion: network.cniVersion,
      ...(declared.length > 0 ? { runtimeConfig: Object.fromEntries(declared) } : {}),
      ...(prevResult ? { prevResult } : {}),
    };
    const environment = {
      CNI_CONTAINERID: containerId,
      CNI_NETNS: netns,
      CNI_IFNAME: ifName,
      CNI_ARGS: args.map(([key, value]) => `${key}=${value}`).join(';'),
      ...this.#path(),
    };
    const path = await findPlugin(plugin.type, this.#binDirs);
    return execPlugin(ctx, path, { command, type: plugin.type, network: network.name, stdin, environment });
  }

  #path(): { readonly CNI_PATH: string } {
    return { CNI_PATH: this.#binDirs.join(':') };
  }
}
