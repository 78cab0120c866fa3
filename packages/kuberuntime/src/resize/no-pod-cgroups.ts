/**
 * Implements pod cgroups for nodes without them: a resize affects only containers, and the memory usage is read from
 * the runtime.
 */
import { containerInfoFromLabels } from '../labels.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { filterOf } from '../status/get-pods.ts';
import type { PodCgroups } from './pod-cgroups.ts';
import { resourceConfigForPod } from './pod-resource-config.ts';

/** Returns pod cgroups whose configuration always equals the spec's, so that a resize never writes one. */
export const noPodCgroups = (dependencies: RuntimeDependencies): PodCgroups => ({
  getPodCgroupConfig: (_ctx, pod) => Promise.resolve(resourceConfigForPod(pod, dependencies)),
  setPodCgroupConfig: () => Promise.resolve(),
  async memoryUsage(ctx, pod) {
    const { stats } = await dependencies.runtime.listContainerStats(ctx, filterOf(pod.metadata.uid));
    const used = stats.flatMap(({ attributes, memory }): [string, number][] =>
      memory?.usageBytes === undefined
        ? []
        : [[containerInfoFromLabels(attributes.labels).containerName, memory.usageBytes.value]],
    );
    return { pod: used.reduce((sum, [, bytes]) => sum + bytes, 0), containers: Object.fromEntries(used) };
  },
});
