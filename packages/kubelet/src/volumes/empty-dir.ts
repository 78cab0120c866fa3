/**
 * Computes how much memory an emptyDir may use. Upstream: pkg/volume/emptydir calculateEmptyDirMemorySize (v1.36),
 * setupTmpfs (v1.20).
 */
import { type Pod, parseQuantity, podLimits, quantityValue, type Volume } from '@podscope/k8s';

type EmptyDir = NonNullable<Volume['emptyDir']>;

/** Returns the size in bytes; undefined for the kernel's default. */
export type EmptyDirMemorySize = (pod: Pod, emptyDir: EmptyDir, allocatableBytes: number) => number | undefined;

/** Returns the volume's size limit in bytes; 0 without a limit. */
export const sizeLimitOf = ({ sizeLimit }: EmptyDir): number =>
  sizeLimit === undefined ? 0 : quantityValue(parseQuantity(sizeLimit));

/** Returns the smallest of the volume's size limit, the pod's memory limit and the node's allocatable memory. */
export const emptyDirMemorySizeV136: EmptyDirMemorySize = (pod, emptyDir, allocatableBytes) => {
  const memory = podLimits(pod).get('memory');
  const bounds = [allocatableBytes, memory ? quantityValue(memory) : 0, sizeLimitOf(emptyDir)].filter(
    (bytes) => bytes > 0,
  );
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
};
