/** Parses image references and detects that a container ran another tag than its spec names now. */
import { readImageReference } from '@podscope/base';
import type { Container, ContainerStatus, Pod } from '@podscope/k8s';

/** Repository path and tag of an image. */
export interface Repository {
  /** For example, `library/busybox`. */
  readonly path: string;
  readonly tag: string;
}

/**
 * Returns host, path and tag of an image. A text that isn't an image reference counts as a repository of Docker Hub.
 */
export function partsOf(image: string): Repository & { readonly host: string } {
  const { domain, path, tag } = readImageReference(image) ?? { domain: 'docker.io', path: image };
  return { host: domain, path, tag: tag ?? 'latest' };
}

/**
 * Returns whether the spec was edited to another tag after the container started. A different tag in the status isn't
 * enough: runtimes report any of an image's tags. Therefore the pod's generation must show an edit, too.
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
