/** How much memory an emptyDir may take. Upstream: pkg/volume/emptydir calculateEmptyDirMemorySize (v1.36), setupTmpfs (v1.20). */
import { type Pod, parseQuantity, podLimits, quantityValue, type Volume } from '@podscope/k8s';

type EmptyDir = NonNullable<Volume['emptyDir']>;

/** Bytes; undefined: as much as the kernel gives. */
export type EmptyDirMemorySize = (pod: Pod, emptyDir: EmptyDir, allocatableBytes: number) => number | undefined;

const sizeLimitOf = ({ sizeLimit }: EmptyDir): number => (sizeLimit === undefined ? 0 : quantityValue(parseQuantity(sizeLimit)));

/** The smallest of the volume's limit, the pod's memory and the node's. */
export const emptyDirMemorySizeV136: EmptyDirMemorySize = (pod, emptyDir, allocatableBytes) => {
  const memory = podLimits(pod).get('memory');
  const bounds = [allocatableBytes, memory ? quantityValue(memory) : 0, sizeLimitOf(emptyDir)].filter((bytes) => bytes > 0);
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
};

/** Only what the volume says. */
export const emptyDirMemorySizeV120: EmptyDirMemorySize = (_pod, emptyDir) => sizeLimitOf(emptyDir) || undefined;
