/** Computes the result of the command `nodeUsage`: the usage of the node and of each pod. */
import type { NodeUsage } from '@podscope/protocol';
import type { StatsProvider } from './stats-provider.ts';

/** @throws CriError */
export async function nodeUsage(stats: Pick<StatsProvider, 'read'>): Promise<NodeUsage> {
  const { node, containers } = await stats.read();
  const pods = [...Map.groupBy(containers, ({ podUID }) => podUID).values()].map((all) => ({
    namespace: all[0]?.namespace ?? '',
    name: all[0]?.pod ?? '',
    cpuNanoCores: all.reduce((sum, { cpuNanoCores }) => sum + cpuNanoCores, 0),
    workingSetBytes: all.reduce((sum, { workingSetBytes }) => sum + workingSetBytes, 0),
  }));
  return { cpuNanoCores: node.cpuNanoCores, workingSetBytes: node.workingSetBytes, pods };
}
