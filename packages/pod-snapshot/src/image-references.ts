/** Parses image references, and recognizes that a container ran a different tag than its spec now names. */
import { readImageReference } from '@podscope/base';
import type { Container, ContainerStatus, Pod } from '@podscope/k8s';

/** Repository path and tag of an image. */
export interface Repository {
  /** For example, `library/busybox`. */
  readonly path: string;
  readonly tag: string;
}

/**
 * Returns host, path and tag of an image. A text that isn't a valid reference counts as the name of a repository on
 * Docker Hub.
 */
export function partsOf(image: string): Repository & { readonly host: string } {
  const { domain, path, tag } = readImageReference(image) ?? { domain: 'docker.io', path: image };
  return { host: domain, path, tag: tag ?? 'latest' };
}

/**
 * Returns whether the tag in the spec was changed after the container started. A different tag in the status isn't
 * enough, because a runtime may report any tag of an image. So the pod's generation must show a change of the spec,
 * too.
 */
export function ranAnotherTag({ metadata }: Pod, { image = '' }: Container, { image: ran }: ContainerStatus): boolean {
  if (
    (metadata.generation ?? 0) < 2 ||
    ran === '' ||
    ran.startsWith('sha256:') ||
    ran.includes('@') ||
    image.includes('@')
  )
    return false;
  const [ours, theirs] = [partsOf(image), partsOf(ran)];
  return ours.host === theirs.host && ours.path === theirs.path && ours.tag !== theirs.tag;
}
