/**
 * Computes the hash of a container's definition. If the spec's hash differs from the created container's, the spec has
 * changed. Hashes are cached per container object, because spec objects are immutable.
 */
import type { Container } from '@podscope/k8s';
import { hashOfPrintedBytes } from '../util/fnv.ts';
import { goJSON } from '../util/go-json.ts';

/** Returns the hash of a container's definition. */
export type HashContainer = (container: Container) => number;

export const memoized = (hash: HashContainer): HashContainer => {
  const seen = new WeakMap<Container, number>();
  return (container) => {
    let value = seen.get(container);
    if (value === undefined) {
      value = hash(container);
      seen.set(container, value);
    }
    return value;
  };
};

/** Returns a hash of the image and the name. Upstream: kubecontainer.HashContainer (v1.36). */
export const hashContainerV136: HashContainer = memoized(({ name, image }) =>
  hashOfPrintedBytes(goJSON({ ...(image ? { image } : {}), name })),
);

/** Formats a hash as the annotation contains it: hexadecimal without padding. */
export const formatHash = (hash: number): string => hash.toString(16);
