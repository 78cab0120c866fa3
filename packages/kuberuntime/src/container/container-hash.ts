/**
 * Computes the hash of a container's definition, which shows whether the spec changed after creation. Hashes are cached
 * per container object, because spec objects are immutable.
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

/** Changes only with the image or the name. Upstream: kubecontainer.HashContainer (v1.36). */
export const hashContainerV136: HashContainer = memoized(({ name, image }) =>
  hashOfPrintedBytes(goJSON({ ...(image ? { image } : {}), name })),
);

/** Formats a hash as in the annotation: hexadecimal without padding. */
export const formatHash = (hash: number): string => hash.toString(16);
