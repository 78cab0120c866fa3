/** What a path of the Kubernetes API asks for. Upstream: RequestInfoFactory.NewRequestInfo (apiserver, v1.36). */
import { findResource, type ResourceDefinition } from '@podscope/cluster';
import { type ApiResource, findGroupVersion, type GroupVersion } from './api-resources.ts';

/** A request below `/api/v1` or `/apis/GROUP/VERSION`. */
export interface ApiRequest {
  readonly groupVersion: GroupVersion;
  readonly resource: ApiResource;
  /** Absent for resources without one, and for lists over all of them. */
  readonly namespace: string | undefined;
  /** Absent for lists. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What follows the subresource: the path of a proxied request. */
  readonly rest: readonly string[];
}

/** A request for objects that are kept. */
export interface ResourceRequest extends ApiRequest {
  readonly definition: ResourceDefinition;
}

/** The API version and what follows it: `/apis/a/v1/b` is of `a/v1`. Undefined for another path. */
function splitPath(path: string): { readonly apiVersion: string; readonly parts: readonly string[] } | undefined {
  const [root, ...parts] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (root === 'api' && parts.length > 0) return { apiVersion: parts[0] ?? '', parts: parts.slice(1) };
  if (root === 'apis' && parts.length > 1) return { apiVersion: `${parts[0]}/${parts[1]}`, parts: parts.slice(2) };
  return undefined;
}

/**
 * Reads a path. Undefined when there is no such resource.
 * @throws URIError when the path is badly escaped
 */
export function parseApiPath(path: string): ApiRequest | undefined {
  const split = splitPath(path);
  const groupVersion = split && findGroupVersion(split.apiVersion);
  if (!groupVersion) return undefined;
  const { parts } = split;
  // /namespaces/x and /namespaces/x/status are about the namespace, anything longer or other is in it.
  const within = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [resourceName = '', name, subresource, ...rest] = within ? parts.slice(2) : parts;
  const resource = groupVersion.resources.find((candidate) => candidate.name === resourceName);
  if (!resource || resourceName.includes('/') || (rest.length > 0 && subresource !== 'proxy')) return undefined;
  // Outside a namespace only a list over all of them is there.
  const listOfAll = resource.namespaced && !within && name === undefined;
  if (resource.namespaced !== within && !listOfAll) return undefined;
  return { groupVersion, resource, namespace: within ? parts[1] : undefined, name, subresource, rest };
}

/** The same for objects that are kept; undefined for everything else. */
export function asResourceRequest(request: ApiRequest): ResourceRequest | undefined {
  const { group, version } = request.groupVersion;
  const definition = findResource(group ? `${group}/${version}` : version, request.resource.name);
  return definition && { ...request, definition };
}
