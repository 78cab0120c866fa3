/**
 * Converts manifests to static pods, as the kubelet reads them from its manifest directory. Upstream: applyDefaults
 * (kubelet config/common.go, v1.36).
 */
import { type Pod, podHashAnnotation, readManifests } from '@podscope/k8s';

/** Returns a hash of a text as eight hexadecimal digits: FNV-1a with 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function withDefaults(pod: Pod, nodeName: string): Pod {
  const { metadata, spec } = pod;
  // The UID depends on the content: a changed file is another pod.
  const uid = `static-${metadata.name}-${hashOf(JSON.stringify(pod))}`;
  return {
    ...pod,
    metadata: {
      ...metadata,
      uid,
      name: `${metadata.name}-${nodeName}`,
      namespace: metadata.namespace || 'default',
      annotations: { ...metadata.annotations, [podHashAnnotation]: uid },
    },
    spec: {
      ...spec,
      nodeName,
      tolerations: [...(spec.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }],
    },
    status: { phase: 'Pending' },
  };
}

/** Returns the static pods of a manifest. @throws Error for invalid manifests */
export function staticPods(manifest: string, nodeName: string): readonly Pod[] {
  if (manifest.trim() === '') return [];
  const { objects, errors } = readManifests(manifest);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  return objects.flatMap(({ object }) => (object.kind === 'Pod' ? [withDefaults(object as Pod, nodeName)] : []));
}
