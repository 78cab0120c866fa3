/** Derives the name that a pod has in its manifest, with which runs of different nodes are matched. */
import { textAt } from '../folds/attribute-values.ts';

/**
 * Returns the name in the manifest of a v1.Pod. The kubelet appends the node's name to the name of a static pod: `web`
 * becomes `web-node1`. Upstream: generatePodName (kubelet/config/common.go).
 */
export function manifestName(object: unknown): string | undefined {
  const name = textAt(object, 'metadata', 'name');
  const source = textAt(object, 'metadata', 'annotations', 'kubernetes.io/config.source');
  const node = textAt(object, 'spec', 'nodeName')?.toLowerCase();
  if (source === undefined || source === 'api' || node === undefined) return name;
  return name?.endsWith(`-${node}`) ? name.slice(0, -node.length - 1) : name;
}
