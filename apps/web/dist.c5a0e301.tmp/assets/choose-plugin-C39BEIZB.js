var e=`/** Which network plugin pods get. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Context } from '@podscope/trace';
import type { CheckpointStore } from '../checkpoint/store.ts';
import type { Deviations } from '../deviations.ts';
import type { DockerClient } from '../docker/port.ts';
import type { EngineFacts } from '../engine/facts.ts';
import { labelKeys } from '../labels.ts';
import type { ResolvedOptions } from '../options.ts';
import { CniNetworkPlugin } from './cni/cni-plugin.ts';
import { type NetworkPlugin, noNetworkPlugin, noopNetworkPlugin } from './plugin.ts';

const run = promisify(execFile);

/** What the choice depends on. */
export interface PluginCircumstances {
  readonly docker: DockerClient;
  readonly checkpoints: CheckpointStore;
  readonly engine: EngineFacts;
  readonly deviations: Deviations;
  readonly options: ResolvedOptions;
}

/**
 * The plugin that was asked for; where CNI cannot work, the engine's bridge, and a notice that says why.
 * Upstream: InitNetworkPlugin (dockershim network/plugins.go, v1.20).
 */
export async function chooseNetworkPlugin(ctx: Context, { docker, checkpoints, engine, deviations, options }: PluginCircumstances): Promise<NetworkPlugin> {
  if (options.networkPlugin === 'docker') return noopNetworkPlugin;
  if (options.networkPlugin === 'none') return noNetworkPlugin;
  const obstacle = !engine.isLocal ? 'the Docker Engine is not on this machine' : process.getuid?.() === 0 ? undefined : 'that needs root';
  if (obstacle) {
    deviations.record(ctx, \`Pods are on Docker's bridge: CNI plugins cannot be run on pods' network namespaces, since \${obstacle}.\`);
    return noopNetworkPlugin;
  }
  const plugin = new CniNetworkPlugin({ docker, checkpoints }, { confDir: options.cniConfDir, binDirs: options.cniBinDirs, cacheDir: options.cniCacheDir });
  await noteForwarding(ctx, deviations);
  await removeLeftovers(ctx, plugin, docker, checkpoints, options.instance);
  return plugin;
}

/** The engine sets the policy to DROP: then pods on a bridge reach the node, but not each other. */
async function noteForwarding(ctx: Context, deviations: Deviations): Promise<void> {
  const { stdout } = await run('iptables', ['-w', '5', '-S', 'FORWARD']).catch(() => ({ stdout: '' }));
  if (!stdout.includes('-P FORWARD DROP') || stdout.includes('CNI-FORWARD')) return;
  const text =
    "This machine's FORWARD policy is DROP (Docker sets it): pods of a CNI bridge reach each other only if the configuration has the firewall plugin, or iptables accepts them.";
  deviations.record(ctx, text);
}

/** Sandboxes that neither the engine nor a checkpoint knows any more still hold their addresses. */
async function removeLeftovers(ctx: Context, plugin: CniNetworkPlugin, docker: DockerClient, checkpoints: CheckpointStore, instance: string): Promise<void> {
  const label = [\`\${labelKeys.instance}=\${instance}\`, \`\${labelKeys.type}=podsandbox\`];
  const [containers, lost] = await Promise.all([docker.listContainers(ctx, { all: true, filters: { label } }), checkpoints.list()]);
  const known = new Set([...containers.map(({ Id }) => Id), ...lost]);
  await plugin.removeLeftovers(ctx, (id) => known.has(id));
}
`;export{e as default};
//# sourceMappingURL=choose-plugin-C39BEIZB.js.map