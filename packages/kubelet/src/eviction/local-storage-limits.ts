/**
 * Compares a pod's use of local storage with its limits. Upstream: emptyDirLimitEviction,
 * podEphemeralStorageLimitEviction, containerEphemeralStorageLimitEviction (pkg/kubelet/eviction, v1.36 and v1.20).
 */
import type { RuntimeService } from '@podscope/cri';
import {
  formatQuantity,
  goQuote,
  type Pod,
  parseQuantity,
  podLimits,
  type Quantity,
  quantityValue,
} from '@podscope/k8s';
import { type OSInterface, podUIDLabel } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { withoutTracing } from '../util/without-tracing.ts';
import { bytesBelow, ephemeralStorage, ephemeralVolumes, sizeLimitOf, type VolumeStats } from './volume-stats.ts';

export interface LocalStorageDependencies {
  readonly os: Pick<OSInterface, 'diskUsage'>;
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly volumeStats: Pick<VolumeStats, 'usedBytes'>;
  /** Returns the directory of a container's logs. */
  readonly containerLogsDir: (pod: Pod, container: string) => string;
}

/** Returns why the pod has to be evicted; undefined when it may continue. */
export async function exceededStorageLimit(
  ctx: Context,
  dependencies: LocalStorageDependencies,
  pod: Pod,
): Promise<string | undefined> {
  return exceededVolume(dependencies, pod) ?? (await exceededEphemeralStorage(ctx, dependencies, pod));
}

/** Upstream: emptyDirLimitEviction. */
function exceededVolume({ volumeStats }: LocalStorageDependencies, pod: Pod): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const sizeLimit = sizeLimitOf(volume);
    if (sizeLimit === undefined) continue;
    const limit = parseQuantity(sizeLimit);
    const bytes = quantityValue(limit);
    if (bytes <= 0 || volumeStats.usedBytes(pod.metadata.uid, volume.name) <= bytes) continue;
    return `Usage of EmptyDir volume ${goQuote(volume.name)} exceeds the limit ${goQuote(formatQuantity(limit))}. `;
  }
  return undefined;
}

/** Upstream: podEphemeralStorageLimitEviction, containerEphemeralStorageLimitEviction. */
async function exceededEphemeralStorage(
  ctx: Context,
  dependencies: LocalStorageDependencies,
  pod: Pod,
): Promise<string | undefined> {
  const total = podLimits(pod).get(ephemeralStorage);
  if (!total) return undefined;
  const containers = await containerBytes(ctx, dependencies, pod);
  const own = [...containers.values()].reduce((sum, bytes) => sum + bytes, 0);
  const { uid } = pod.metadata;
  const inVolumes = ephemeralVolumes(pod).reduce(
    (sum, { name }) => sum + dependencies.volumeStats.usedBytes(uid, name),
    0,
  );
  if (own + inVolumes > quantityValue(total))
    return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(total)}. `;
  for (const { name, limit } of containerLimits(pod)) {
    if ((containers.get(name) ?? 0) > quantityValue(limit))
      return `Container ${name} exceeded its local ephemeral storage limit ${goQuote(formatQuantity(limit))}. `;
  }
  return undefined;
}

const containerLimits = ({ spec }: Pod): readonly { readonly name: string; readonly limit: Quantity }[] =>
  spec.containers.flatMap(({ name, resources }) => {
    const text = resources?.limits?.[ephemeralStorage];
    const limit = text === undefined ? undefined : parseQuantity(text);
    return limit && quantityValue(limit) !== 0 ? [{ name, limit }] : [];
  });

/**
 * Returns the bytes in the writable layer and the logs of each container by name. Upstream: the statistics Rootfs and
 * Logs.
 */
async function containerBytes(
  ctx: Context,
  { os, runtime, containerLogsDir }: LocalStorageDependencies,
  pod: Pod,
): Promise<ReadonlyMap<string, number>> {
  const labelSelector = { [podUIDLabel]: pod.metadata.uid };
  const { stats } = await runtime.listContainerStats(withoutTracing(ctx), { filter: { labelSelector } });
  const entries = stats.map(async ({ attributes, writableLayer }): Promise<readonly [string, number]> => {
    const { name } = attributes.metadata;
    return [name, (writableLayer?.usedBytes?.value ?? 0) + (await bytesBelow(os, containerLogsDir(pod, name)))];
  });
  return new Map(await Promise.all(entries));
}
