/** Parses the paths of the Kubernetes API. Upstream: RequestInfoFactory.NewRequestInfo (apiserver, v1.36). */
import { findResource, type ResourceDefinition } from '@podscope/apiserver';
import { type ApiResource, findGroupVersion, type GroupVersion } from '../discovery/api-resources.ts';

/** A request below `/api/v1` or `/apis/GROUP/VERSION`. */
export interface ApiRequest {
  readonly groupVersion: GroupVersion;
  readonly resource: ApiResource;
  /** The namespace of the request. Undefined for cluster-scoped resources, and for lists of all namespaces. */
  readonly namespace: string | undefined;
  /** The name of the object. Undefined for lists. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** The path segments after the subresource: the path of a proxied request. */
  readonly rest: readonly string[];
}

/** A request for objects in the storage. */
export interface ResourceRequest extends ApiRequest {
  readonly definition: ResourceDefinition;
}

/**
 * Splits a path into the API version and the segments after it: `/apis/a/v1/b` has version `a/v1`. Returns undefined
 * for any other path.
 */
function splitPath(path: string): { readonly apiVersion: string; readonly parts: readonly string[] } | undefined {
  const [root, ...parts] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (root === 'api' && parts.length > 0) return { apiVersion: parts[0] ?? '', parts: parts.slice(1) };
  if (root === 'apis' && parts.length > 1) return { apiVersion: `${parts[0]}/${parts[1]}`, parts: parts.slice(2) };
  return undefined;
}

/**
 * Parses a path. Returns undefined if the API has no such resource.
 * @throws URIError if the path contains an invalid escape sequence
 */
export function parseApiPath(path: string): ApiRequest | undefined {
  const split = splitPath(path);
  const groupVersion = split && findGroupVersion(split.apiVersion);
  if (!groupVersion) return undefined;
  const { parts } = split;
  // `/namespaces/x` and `/namespaces/x/status` address the namespace. Any other path below `/namespaces/x` addresses a
  // resource within the namespace.
  const within = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [resourceName = '', name, subresource, ...rest] = within ? parts.slice(2) : parts;
  const resource = groupVersion.resources.find((candidate) => candidate.name === resourceName);
  if (!resource || resourceName.includes('/') || (rest.length > 0 && subresource !== 'proxy')) return undefined;
  // For a namespaced resource, a path without a namespace can only be a list of all namespaces.
  const listOfAll = resource.namespaced && !within && name === undefined;
  if (resource.namespaced !== within && !listOfAll) return undefined;
  return { groupVersion, resource, namespace: within ? parts[1] : undefined, name, subresource, rest };
}

/** Returns the request with its resource definition, or undefined if the resource has no stored objects. */
export function asResourceRequest(request: ApiRequest): ResourceRequest | undefined {
  const { group, version } = request.groupVersion;
  const definition = findResource(group ? `${group}/${version}` : version, request.resource.name);
  return definition && { ...request, definition };
}
