/**
 * Computes how much memory an emptyDir may use. Upstream: pkg/volume/emptydir calculateEmptyDirMemorySize (v1.36),
 * setupTmpfs (v1.20).
 */
import { parseQuantity, quantityValue, type Volume } from '@podscope/k8s';

type EmptyDir = NonNullable<Volume['emptyDir']>;

/** The limits of an emptyDir in memory, in bytes; 0: no limit. */
interface EmptyDirMemoryBounds {
  /** The node's allocatable memory. */
  readonly allocatable: number;
  /** The memory limit of the pod's cgroup. */
  readonly pod: number;
}

/** Returns the size in bytes; undefined for the kernel's default. */
export type EmptyDirMemorySize = (emptyDir: EmptyDir, bounds: EmptyDirMemoryBounds) => number | undefined;

/** Returns the volume's size limit in bytes; 0 without a limit. */
export const sizeLimitOf = ({ sizeLimit }: EmptyDir): number =>
  sizeLimit === undefined ? 0 : quantityValue(parseQuantity(sizeLimit));

/** Returns the smallest of the volume's size limit, the pod's memory limit and the node's allocatable memory. */
export const emptyDirMemorySizeV136: EmptyDirMemorySize = (emptyDir, { allocatable, pod }) => {
  const bounds = [allocatable, pod, sizeLimitOf(emptyDir)].filter((bytes) => bytes > 0);
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
};
