/** References of images: their parts, and whether a container ran what its spec names now. */
import type { Container, ContainerStatus, Pod } from '@podscope/k8s';

/** An image by repository and tag. */
export interface Repository {
  readonly path: string;
  readonly tag: string;
}

/** The parts of a reference that registries tell apart. */
export function partsOf(image: string): Repository & { readonly host: string } {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost');
  const [, path = '', tag = 'latest'] = /^([^:@]*)(?::([^@]*))?/.exec(isHost ? rest.join('/') : image) ?? [];
  return { host: isHost ? first : 'docker.io', path, tag };
}

/**
 * The spec has been edited to another tag since the container ran. Where one image has several tags, runtimes name any of them: the status alone
 * does not tell, but a spec that was never edited cannot have changed.
 */
export function ranAnotherTag({ metadata }: Pod, { image = '' }: Container, { image: ran }: ContainerStatus): boolean {
  if ((metadata.generation ?? 0) < 2 || ran === '' || ran.startsWith('sha256:') || ran.includes('@') || image.includes('@')) return false;
  const [ours, theirs] = [partsOf(image), partsOf(ran)];
  return ours.host === theirs.host && ours.path === theirs.path.replace(/^library\//, '') && ours.tag !== theirs.tag;
}
