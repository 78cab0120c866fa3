/**
 * Builds and parses Docker names: `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>`. The engine rejects a name that
 * exists, so a repeated create request can't create a second container. Upstream: dockershim naming.go (v1.20).
 */
import { randomBytes } from 'node:crypto';
import type { ContainerMetadata, PodSandboxMetadata } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';

const prefix = 'k8s';
const delimiter = '_';
const maxUint32 = 4_294_967_295;

/** The name of the sandbox's container, in Docker names and labels. */
export const sandboxContainerName = 'POD';

/** Returns the Docker name of a sandbox. Upstream: makeSandboxName (dockershim naming.go, v1.20). */
export const makeSandboxName = ({ name, namespace, uid, attempt }: PodSandboxMetadata): string =>
  [prefix, sandboxContainerName, name, namespace, uid, attempt].join(delimiter);

/** Returns the Docker name of a container. Upstream: makeContainerName (dockershim naming.go, v1.20). */
export const makeContainerName = (pod: PodSandboxMetadata, container: ContainerMetadata): string =>
  [prefix, container.name, pod.name, pod.namespace, pod.uid, container.attempt].join(delimiter);

/**
 * Appends random characters to a name, so that it differs from the names of all containers. Upstream: randomizeName
 * (dockershim naming.go, v1.20).
 */
export const randomizeName = (name: string): string => `${name}${delimiter}${randomBytes(4).toString('hex')}`;

/** Returns true if {@link randomizeName} can have made `name` from `original`. */
export const isRandomized = (name: string, original: string): boolean =>
  name.startsWith(`${original}${delimiter}`) && !name.slice(original.length + 1).includes(delimiter);

interface NameParts {
  readonly container: string;
  readonly pod: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
}

function parseName(kind: 'sandbox' | 'container', fullName: string): NameParts {
  const text = fullName.replace(/^\//, '');
  const quoted = goQuote(text);
  const parts = text.split(delimiter);
  if (parts.length !== 6 && parts.length !== 7)
    throw new CriError('Internal', `failed to parse the ${kind} name: ${quoted}`);
  const [first, container = '', pod = '', namespace = '', uid = '', attempt = ''] = parts;
  if (first !== prefix) throw new CriError('Internal', `container is not managed by kubernetes: ${quoted}`);
  const problem = !/^\d+$/.test(attempt)
    ? 'invalid syntax'
    : Number(attempt) > maxUint32
      ? 'value out of range'
      : undefined;
  if (problem) {
    throw new CriError(
      'Internal',
      `failed to parse the ${kind} name ${quoted}: strconv.ParseUint: parsing ${goQuote(attempt)}: ${problem}`,
    );
  }
  return { container, pod, namespace, uid, attempt: Number(attempt) };
}

/**
 * Returns the metadata in a sandbox's Docker name. Upstream: parseSandboxName (dockershim naming.go, v1.20).
 * @throws CriError when the name doesn't have dockershim's format
 */
export function parseSandboxName(name: string): PodSandboxMetadata {
  const parts = parseName('sandbox', name);
  return { name: parts.pod, namespace: parts.namespace, uid: parts.uid, attempt: parts.attempt };
}

/**
 * Returns the metadata in a container's Docker name. Upstream: parseContainerName (dockershim naming.go, v1.20).
 * @throws CriError when the name doesn't have dockershim's format
 */
export function parseContainerName(name: string): ContainerMetadata {
  const parts = parseName('container', name);
  return { name: parts.container, attempt: parts.attempt };
}
