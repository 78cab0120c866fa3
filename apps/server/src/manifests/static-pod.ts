/**
 * Converts a manifest file to the static pod that the kubelet runs. Upstream: applyDefaults and tryDecodeSinglePod
 * (kubelet config/common.go, v1.36).
 */
import { createHash } from 'node:crypto';
import { type Pod, podHashAnnotation, readManifests } from '@podscope/k8s';
import { apiReference } from './api-reference.ts';

/** The source of a manifest. */
type Origin = { readonly path: string } | { readonly url: string };

/** The node for which a manifest is parsed. */
export interface StaticPodReader {
  readonly nodeName: string;
  /**
   * The release whose rules apply. v1.20 allows references to API objects, and identifies a pod only by its content.
   * Default: v1.36.
   */
  readonly profile?: 'v1.36' | 'v1.20';
}

export interface StaticPodOptions extends StaticPodReader {
  /**
   * The path of the manifest. In v1.36, the path is part of the pod's identity: the same manifest in another file is
   * another pod.
   */
  readonly path: string;
}

export interface StaticPodsOptions extends StaticPodReader {
  readonly origin: Origin;
}

/** The limits of a file that contains one pod. Upstream: maxConfigLength. */
const limits = { maxBytes: 10 * 1024 * 1024, maxDocuments: 2 };
/** The limits of a list, which may contain as many pods as a node can run. */
const listLimits = { ...limits, maxDocuments: 110 };

function readPods(text: string, within: typeof limits): readonly Pod[] {
  const { objects, errors } = readManifests(text, { limits: within });
  if (errors.length > 0) {
    const list = errors
      .slice(0, 5)
      .map(
        ({ line, message, hint }) =>
          (line === undefined || message.startsWith('yaml: line') ? '' : `line ${line}: `) +
          `${message}${hint ? ` (${hint})` : ''}`,
      );
    throw new Error(`invalid pod: ${list.join('; ')}`);
  }
  return objects.map(({ object }) => {
    if (object.kind !== 'Pod') throw new Error(`expected a Pod, found a ${object.kind}`);
    return object as Pod;
  });
}

/**
 * Parses the single pod of a manifest.
 * @throws Error that describes the problem and its position
 */
export function parseStaticPod(text: string, { path, ...reader }: StaticPodOptions): Pod {
  const pods = readPods(text, limits);
  const [pod, ...others] = pods;
  if (!pod || others.length > 0) throw new Error(`expected one Pod in the file, found ${pods.length} objects`);
  return checked(pod, { path }, reader);
}

/**
 * Parses a pod or a list of pods.
 * @throws Error that describes the problem and its position
 */
export function parseStaticPods(text: string, { origin, ...reader }: StaticPodsOptions): readonly Pod[] {
  return readPods(text, listLimits).map((pod) => checked(pod, origin, reader));
}

/**
 * The format of a UID in a manifest. Directories and containers are named after the UID, so it must not contain path
 * separators.
 */
const uidPattern = /^[a-z0-9](?:[a-z0-9.-]{0,126}[a-z0-9])?$/i;

/**
 * Validates a pod and adds the defaults of static pods. Upstream: tryDecodeSinglePod. The feature gate
 * PreventStaticPodAPIReferences was added after v1.20.
 */
function checked(pod: Pod, origin: Origin, reader: StaticPodReader): Pod {
  const { name, uid } = pod.metadata;
  if (!name) throw new Error('invalid pod: name is needed for the pod');
  if (uid && !uidPattern.test(uid))
    throw new Error(`invalid pod: metadata.uid ${JSON.stringify(uid)} is not made of letters, digits, - and .`);
  const reference = reader.profile === 'v1.20' ? undefined : apiReference(pod);
  if (reference !== undefined) throw new Error(`static pods may not reference ${reference}`);
  return withStaticDefaults(pod, origin, reader);
}

/**
 * Returns the pod's UID: a hash of the content, the node and the file. v1.20 also adds node and file to the digest but
 * then resets the digest, so that a manifest has the same UID on every node and in every file.
 */
function contentHash(pod: Pod, origin: Origin, { nodeName, profile }: StaticPodReader): string {
  const hash = createHash('md5').update(JSON.stringify(pod));
  if (profile === 'v1.20') return hash.digest('hex');
  return (
    'url' in origin ? hash.update(`url:${origin.url}`) : hash.update(`host:${nodeName}`).update(`file:${origin.path}`)
  ).digest('hex');
}

/** Adds the defaults of static pods. Upstream: applyDefaults (v1.36, v1.20). */
function withStaticDefaults(pod: Pod, origin: Origin, reader: StaticPodReader): Pod {
  const { nodeName, profile } = reader;
  const uid = pod.metadata.uid || contentHash(pod, origin, reader);
  const tolerations = 'path' in origin ? [{ operator: 'Exists' as const, effect: 'NoExecute' as const }] : [];
  const { metadata, spec } = pod;
  const name = `${metadata.name}-${nodeName.toLowerCase()}`;
  const namespace = metadata.namespace || 'default';
  return {
    ...pod,
    metadata: {
      ...metadata,
      uid,
      name,
      namespace,
      ...(profile === 'v1.20' ? { selfLink: `/api/v1/namespaces/${namespace}/pods/${name}` } : {}),
      annotations: { ...metadata.annotations, [podHashAnnotation]: uid },
    },
    spec: {
      ...spec,
      nodeName,
      ...(tolerations.length > 0 || spec.tolerations
        ? { tolerations: [...(spec.tolerations ?? []), ...tolerations] }
        : {}),
    },
    status: { phase: 'Pending' },
  };
}
