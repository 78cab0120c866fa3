/** What a path of the Kubernetes API asks for. Upstream: RequestInfoFactory.NewRequestInfo (apiserver, v1.36). */
import { findResource, type ResourceDefinition } from '@podscope/cluster';

export interface ResourceRequest {
  readonly definition: ResourceDefinition;
  /** Absent for resources without one, and for lists over all of them. */
  readonly namespace: string | undefined;
  /** Absent for lists. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/**
 * Reads the part of the path after `/api/v1/`. Undefined when there is no such resource.
 * @throws URIError when the path is badly escaped
 */
export function parseResourcePath(path: string): ResourceRequest | undefined {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  // /namespaces/x and /namespaces/x/status are about the namespace, anything longer or other is in it.
  const within = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [resource = '', name, subresource, ...rest] = within ? parts.slice(2) : parts;
  const definition = findResource(resource);
  if (!definition || rest.length > 0) return undefined;
  // Outside a namespace only a list over all of them is there.
  const listOfAll = definition.namespaced && !within && name === undefined;
  if (definition.namespaced !== within && !listOfAll) return undefined;
  return { definition, namespace: within ? parts[1] : undefined, name, subresource };
}
