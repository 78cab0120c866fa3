/** A manifest file as the pod the kubelet runs. Upstream: applyDefaults and tryDecodeSinglePod (kubelet config/common.go, v1.36). */
import { createHash } from 'node:crypto';
import { type Pod, podHashAnnotation, readManifests } from '@podscope/k8s';

export interface StaticPodOptions {
  /** The file it stands in; another file with the same content is another pod. */
  readonly path: string;
  readonly nodeName: string;
}

/** Upstream: maxConfigLength's sibling for one file. */
const limits = { maxBytes: 10 * 1024 * 1024, maxDocuments: 2 };

/**
 * Reads the one pod of a manifest.
 * @throws Error saying what is wrong, and where
 */
export function parseStaticPod(text: string, { path, nodeName }: StaticPodOptions): Pod {
  const { objects, errors } = readManifests(text, { limits });
  if (errors.length > 0) {
    const list = errors
      .slice(0, 5)
      .map(
        ({ line, message, hint }) => `${line === undefined || message.startsWith('yaml: line') ? '' : `line ${line}: `}${message}${hint ? ` (${hint})` : ''}`,
      );
    throw new Error(`invalid pod: ${list.join('; ')}`);
  }
  const [first, ...others] = objects;
  if (!first || others.length > 0) throw new Error(`expected one Pod in the file, found ${objects.length} objects`);
  const { object } = first;
  if (object.kind !== 'Pod') throw new Error(`expected a Pod, found a ${object.kind}`);
  const pod = object as Pod;
  if (!pod.metadata.name) throw new Error('invalid pod: name is needed for the pod');
  return withStaticDefaults(pod, path, nodeName);
}

/** Changes with the content, the node and the file; nothing else is read from it. */
const contentHash = (pod: Pod, path: string, nodeName: string): string =>
  createHash('md5').update(JSON.stringify(pod)).update(`host:${nodeName}`).update(`file:${path}`).digest('hex');

/** Upstream: applyDefaults (v1.36). */
function withStaticDefaults(pod: Pod, path: string, nodeName: string): Pod {
  const uid = pod.metadata.uid || contentHash(pod, path, nodeName);
  const { metadata, spec } = pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      uid,
      name: `${metadata.name}-${nodeName.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      annotations: { ...metadata.annotations, [podHashAnnotation]: uid },
    },
    spec: { ...spec, nodeName, tolerations: [...(spec.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }] },
    status: { phase: 'Pending' },
  };
}
