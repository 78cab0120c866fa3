/** Selects the network plugin. Upstream: InitNetworkPlugin (dockershim network/plugins.go, v1.20). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Context } from '@podscope/trace';
import type { CheckpointStore } from '../checkpoint/store.ts';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from '../engine/deviations.ts';
import type { EngineFacts } from '../engine/facts.ts';
import { labelKeys } from '../objects/labels.ts';
import type { ResolvedOptions } from '../options.ts';
import { CniNetworkPlugin } from './cni/cni-plugin.ts';
import { type NetworkPlugin, noNetworkPlugin, noopNetworkPlugin } from './plugin.ts';

const run = promisify(execFile);

/** The dependencies of the selection. */
export interface PluginDependencies {
  readonly docker: DockerClient;
  readonly checkpoints: CheckpointStore;
  readonly engine: EngineFacts;
  readonly deviations: Deviations;
  readonly options: ResolvedOptions;
}

/**
 * Returns the requested plugin. If CNI can't work here, returns the plugin of the engine's bridge and records a
 * deviation with the reason.
 */
export async function chooseNetworkPlugin(
  ctx: Context,
  { docker, checkpoints, engine, deviations, options }: PluginDependencies,
): Promise<NetworkPlugin> {
  if (options.networkPlugin === 'docker') return noopNetworkPlugin;
  if (options.networkPlugin === 'none') return noNetworkPlugin;
  const obstacle = !engine.isLocal
    ? 'the Docker Engine is not on this machine'
    : process.getuid?.() === 0
      ? undefined
      : 'that needs root';
  if (obstacle) {
    deviations.record(
      ctx,
      `Pods are on Docker's bridge: CNI plugins cannot be run on pods' network namespaces, since ${obstacle}.`,
    );
    return noopNetworkPlugin;
  }
  const plugin = new CniNetworkPlugin(
    { docker, checkpoints },
    { confDir: options.cniConfDir, binDirs: options.cniBinDirs, cacheDir: options.cniCacheDir },
  );
  await noteForwarding(ctx, deviations);
  await removeLeftovers(ctx, plugin, docker, checkpoints, options.instance);
  return plugin;
}

/**
 * Records a deviation if the engine set the policy of the FORWARD chain to DROP. Pods on a CNI bridge then reach the
 * node but not each other.
 */
async function noteForwarding(ctx: Context, deviations: Deviations): Promise<void> {
  const { stdout } = await run('iptables', ['-w', '5', '-S', 'FORWARD']).catch(() => ({ stdout: '' }));
  if (!stdout.includes('-P FORWARD DROP') || stdout.includes('CNI-FORWARD')) return;
  const text =
    "This machine's FORWARD policy is DROP (Docker sets it): pods of a CNI bridge reach each other only if the " +
    'configuration has the firewall plugin, or iptables accepts them.';
  deviations.record(ctx, text);
}

/** Releases the addresses of sandboxes that have neither a container in the engine nor a checkpoint. */
async function removeLeftovers(
  ctx: Context,
  plugin: CniNetworkPlugin,
  docker: DockerClient,
  checkpoints: CheckpointStore,
  instance: string,
): Promise<void> {
  const label = [`${labelKeys.instance}=${instance}`, `${labelKeys.type}=podsandbox`];
  const [containers, lost] = await Promise.all([
    docker.listContainers(ctx, { all: true, filters: { label } }),
    checkpoints.list(),
  ]);
  const known = new Set([...containers.map(({ Id }) => Id), ...lost]);
  await plugin.removeLeftovers(ctx, (id) => known.has(id));
}
