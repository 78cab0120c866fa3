/**
 * Evaluates the pod fields that the downward API supports (`fieldRef`). Upstream: pkg/fieldpath, kubelet_pods.go
 * (v1.36).
 */

import { goQuote } from './go-quote.ts';
import type { Pod, StringMap } from './types.ts';
import { isQualifiedName } from './validation/syntax.ts';

export class FieldPathError extends Error {
  override readonly name = 'FieldPathError';
}

/**
 * Splits a path like `metadata.labels['app']` into path and key. Returns undefined if the path has no key. Upstream:
 * fieldpath.SplitMaybeSubscriptedPath (v1.36).
 */
export function splitMaybeSubscriptedPath(
  fieldPath: string,
): { readonly path: string; readonly subscript: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.indexOf("['");
  if (start <= 0) return undefined;
  return { path: fieldPath.slice(0, start), subscript: fieldPath.slice(start + 2, -2) };
}

/**
 * Formats a map for the downward API: one line `key="value"` per entry, sorted by key, without a final newline.
 * Upstream: fieldpath.FormatMap (v1.36).
 */
export function formatMap(map: StringMap | undefined): string {
  return Object.entries(map ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .join('\n');
}

/**
 * Returns a field of the metadata as text. For a key that a map doesn't contain, the text is empty. Upstream:
 * fieldpath.ExtractFieldPathAsString (v1.36).
 * @throws FieldPathError for an unsupported path
 */
export function extractFieldPathAsString(pod: Pod, fieldPath: string): string {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  if (subscripted) return extractKey(pod, fieldPath, subscripted.path, subscripted.subscript);
  const { metadata } = pod;
  switch (fieldPath) {
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid;
    default:
      throw new FieldPathError(`unsupported fieldPath: ${fieldPath}`);
  }
}

function extractKey(pod: Pod, fieldPath: string, path: string, subscript: string): string {
  const { annotations, labels } = pod.metadata;
  switch (path) {
    case 'metadata.annotations':
      refuseBadKey(fieldPath, isQualifiedName(subscript.toLowerCase()));
      return ownValue(annotations, subscript);
    case 'metadata.labels':
      refuseBadKey(fieldPath, isQualifiedName(subscript));
      return ownValue(labels, subscript);
    default:
      throw new FieldPathError(`fieldPath ${goQuote(fieldPath)} does not support subscript`);
  }
}

function ownValue(map: StringMap | undefined, key: string): string {
  return map !== undefined && Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}

function refuseBadKey(fieldPath: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new FieldPathError(`invalid key subscript in ${fieldPath}: ${faults.join('; ')}`);
}

/** Values that the node already knows when the pod's spec and status don't contain them yet. */
export interface PodFieldSources {
  readonly nodeName?: string;
  readonly podIPs?: readonly string[];
  readonly hostIPs?: readonly string[];
}

/**
 * Returns a field that `fieldRef` supports, as text. Addresses and the node's name come from `sources`, or from the pod
 * if `sources` lacks them. Upstream: kubelet podFieldSelectorRuntimeValue (v1.36).
 * @throws FieldPathError for an unsupported path
 */
export function podFieldSelectorRuntimeValue(pod: Pod, fieldPath: string, sources: PodFieldSources = {}): string {
  const podIPs = sources.podIPs ?? pod.status?.podIPs?.map(({ ip }) => ip) ?? [];
  const hostIPs = sources.hostIPs ?? pod.status?.hostIPs?.map(({ ip }) => ip) ?? [];
  switch (fieldPath) {
    case 'spec.nodeName':
    case 'spec.host':
      return pod.spec.nodeName ?? sources.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.podIP':
      return podIPs[0] ?? pod.status?.podIP ?? '';
    case 'status.podIPs':
      return podIPs.join(',');
    case 'status.hostIP':
      return hostIPs[0] ?? pod.status?.hostIP ?? '';
    case 'status.hostIPs':
      return hostIPs.join(',');
    default:
      return extractFieldPathAsString(pod, fieldPath);
  }
}
