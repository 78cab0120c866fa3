/**
 * Computes how much of the node's resources its pods request, and their limits. Upstream: the table "Allocated
 * resources" of kubectl describe node.
 */
import {
  addQuantities,
  formatQuantity,
  type Node,
  type Pod,
  parseQuantity,
  podLimits,
  podRequests,
  type Quantity,
  quantityMilliValue,
  zeroQuantity,
} from '@podscope/k8s';
import type { PodTrack } from '@podscope/trace';

/** The resources that the table shows. */
const resources = ['cpu', 'memory', 'ephemeral-storage'] as const;

interface Share {
  readonly value: string;
  /** Percentage of the allocatable amount. */
  readonly percent: number;
}

export interface ResourceRow {
  readonly resource: string;
  readonly allocatable: string;
  readonly requests: Share;
  readonly limits: Share;
}

/** Returns the pods that use resources: those that exist and haven't ended. */
const activePods = (pods: readonly PodTrack[]): readonly Pod[] =>
  pods.flatMap(({ object, status, deletedAt }) => {
    const phase = status?.['phase'];
    // The API server validated the object.
    return object && deletedAt === undefined && phase !== 'Succeeded' && phase !== 'Failed'
      ? [object as unknown as Pod]
      : [];
  });

/** Returns the number of pods that exist and haven't ended. */
export const countActive = (pods: readonly PodTrack[]): number => activePods(pods).length;

/** Returns a row for each resource that the node has. */
export function resourceRows(node: Node, pods: readonly PodTrack[]): readonly ResourceRow[] {
  const active = activePods(pods);
  return resources.flatMap((resource) => {
    const text = node.status?.allocatable?.[resource];
    if (text === undefined) return [];
    const allocatable = quantityMilliValue(parseQuantity(text));
    const share = (amounts: readonly ReadonlyMap<string, Quantity>[]): Share => {
      const sum = amounts.reduce(
        (total, each) => addQuantities(total, each.get(resource) ?? zeroQuantity),
        zeroQuantity,
      );
      return {
        value: formatQuantity(sum),
        percent: allocatable > 0 ? Math.round((100 * quantityMilliValue(sum)) / allocatable) : 0,
      };
    };
    return [
      {
        resource,
        allocatable: String(text),
        requests: share(active.map((pod) => podRequests(pod))),
        limits: share(active.map((pod) => podLimits(pod))),
      },
    ];
  });
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes with three digits: `12.3 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${units[power]}`;
}
