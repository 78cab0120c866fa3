/** For nodes that keep no cgroups of pods: a resize is that of the containers alone, and the runtime says how much memory they use. */
import { containerInfoFromLabels, podUIDLabel } from '../labels.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import type { PodCgroups } from './pod-cgroups.ts';
import { resourceConfigForPod } from './pod-resource-config.ts';

/** Pods whose own cgroup is always as the spec wants it, as there is none. */
export const noPodCgroups = (parts: RuntimeParts): PodCgroups => ({
  getPodCgroupConfig: (_ctx, pod) => Promise.resolve(resourceConfigForPod(pod, parts)),
  setPodCgroupConfig: () => Promise.resolve(),
  async memoryUsage(ctx, pod) {
    const { stats } = await parts.runtime.listContainerStats(ctx, { filter: { labelSelector: { [podUIDLabel]: pod.metadata.uid } } });
    const used = stats.flatMap(({ attributes, memory }): [string, number][] =>
      memory?.usageBytes === undefined ? [] : [[containerInfoFromLabels(attributes.labels).containerName, memory.usageBytes.value]],
    );
    return { pod: used.reduce((sum, [, bytes]) => sum + bytes, 0), containers: Object.fromEntries(used) };
  },
});
