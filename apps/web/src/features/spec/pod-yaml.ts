/** Formats the pod as YAML and finds the lines of its fields. */
import { parseFieldPath } from '@podscope/k8s';
import type { PodTrack } from '@podscope/trace';
import { isNode, LineCounter, parseDocument, stringify } from 'yaml';

/** Returns the pod as YAML: the API object with its newest status, without managed fields. */
export function podYaml({ object, status }: Pick<PodTrack, 'object' | 'status'>): string {
  if (!object) return '';
  const metadata: unknown = object['metadata'];
  const { managedFields: _, ...rest } =
    typeof metadata === 'object' && metadata !== null
      ? { managedFields: undefined, ...metadata }
      : { managedFields: undefined };
  return stringify(
    { apiVersion: 'v1', kind: 'Pod', ...object, metadata: rest, ...(status ? { status } : {}) },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  );
}

/**
 * Returns the line of a field, counted from 1. For a missing field, returns the line of its nearest existing parent.
 */
export function lineOfField(yaml: string, path: string): number | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter });
  const segments = parseFieldPath(path);
  for (let length = segments.length; length > 0; length--) {
    const parent = document.getIn(segments.slice(0, length - 1), true);
    const key = segments[length - 1];
    const node = document.getIn(segments.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    // The line of a map or list is the line of its key, not of its first member.
    const items: readonly unknown[] =
      typeof parent === 'object' && parent !== null && 'items' in parent && Array.isArray(parent.items)
        ? parent.items
        : [];
    const pair = items.find(
      (item) => typeof item === 'object' && item !== null && 'key' in item && String(item.key) === String(key),
    );
    const keyNode: unknown = typeof pair === 'object' && pair !== null && 'key' in pair ? pair.key : undefined;
    const range = isNode(keyNode) && keyNode.range ? keyNode.range : node.range;
    return lineCounter.linePos(range[0]).line;
  }
  return undefined;
}

/** Returns `metadata.resourceVersion`. */
export function resourceVersionOf(object: unknown): string | undefined {
  const metadata: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, 'metadata') : undefined;
  const version: unknown =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'resourceVersion') : undefined;
  return typeof version === 'string' ? version : undefined;
}
