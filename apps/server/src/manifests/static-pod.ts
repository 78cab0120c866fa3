/** A manifest file as the pod the kubelet runs. Upstream: applyDefaults and tryDecodeSinglePod (kubelet config/common.go, v1.36). */
import { createHash } from 'node:crypto';
import { type Pod, podHashAnnotation, readManifests } from '@podscope/k8s';
import { apiReference } from './api-reference.ts';

/** Where a manifest stands. */
type Origin = { readonly path: string } | { readonly url: string };

/** The node that reads a manifest. */
export interface StaticPodReader {
  readonly nodeName: string;
  /** The release whose rules hold. v1.20 lets static pods name objects of the API, and knows a pod by its content alone. Default: v1.36. */
  readonly profile?: 'v1.36' | 'v1.20';
}

export interface StaticPodOptions extends StaticPodReader {
  /** The file it stands in; in v1.36 another file with the same content is another pod. */
  readonly path: string;
}

export interface StaticPodsOptions extends StaticPodReader {
  readonly origin: Origin;
}

/** Upstream: maxConfigLength's sibling for one file. */
const limits = { maxBytes: 10 * 1024 * 1024, maxDocuments: 2 };
/** A list may hold as many pods as a node takes. */
const listLimits = { ...limits, maxDocuments: 110 };

function readPods(text: string, within: typeof limits): readonly Pod[] {
  const { objects, errors } = readManifests(text, { limits: within });
  if (errors.length > 0) {
    const list = errors
      .slice(0, 5)
      .map(
        ({ line, message, hint }) => `${line === undefined || message.startsWith('yaml: line') ? '' : `line ${line}: `}${message}${hint ? ` (${hint})` : ''}`,
      );
    throw new Error(`invalid pod: ${list.join('; ')}`);
  }
  return objects.map(({ object }) => {
    if (object.kind !== 'Pod') throw new Error(`expected a Pod, found a ${object.kind}`);
    return object as Pod;
  });
}

/**
 * Reads the one pod of a manifest.
 * @throws Error saying what is wrong, and where
 */
export function parseStaticPod(text: string, { path, ...reader }: StaticPodOptions): Pod {
  const pods = readPods(text, limits);
  const [pod, ...others] = pods;
  if (!pod || others.length > 0) throw new Error(`expected one Pod in the file, found ${pods.length} objects`);
  return checked(pod, { path }, reader);
}

/**
 * Reads a pod or a list of pods.
 * @throws Error saying what is wrong, and where
 */
export function parseStaticPods(text: string, { origin, ...reader }: StaticPodsOptions): readonly Pod[] {
  return readPods(text, listLimits).map((pod) => checked(pod, origin, reader));
}

/** Directories and containers are named after it: it must not lead anywhere else. The API gives pods ids of its own; a manifest may bring one. */
const uidPattern = /^[a-z0-9](?:[a-z0-9.-]{0,126}[a-z0-9])?$/i;

/** Upstream: tryDecodeSinglePod; the gate PreventStaticPodAPIReferences came after v1.20. */
function checked(pod: Pod, origin: Origin, reader: StaticPodReader): Pod {
  const { name, uid } = pod.metadata;
  if (!name) throw new Error('invalid pod: name is needed for the pod');
  if (uid && !uidPattern.test(uid)) throw new Error(`invalid pod: metadata.uid ${JSON.stringify(uid)} is not made of letters, digits, - and .`);
  const reference = reader.profile === 'v1.20' ? undefined : apiReference(pod);
  if (reference !== undefined) throw new Error(`static pods may not reference ${reference}`);
  return withStaticDefaults(pod, origin, reader);
}

/**
 * Changes with the content, the node and the file; nothing else is read from it. v1.20 feeds node and file to a digest that the content then resets:
 * a manifest gives the same id everywhere.
 */
function contentHash(pod: Pod, origin: Origin, { nodeName, profile }: StaticPodReader): string {
  const hash = createHash('md5').update(JSON.stringify(pod));
  if (profile === 'v1.20') return hash.digest('hex');
  return ('url' in origin ? hash.update(`url:${origin.url}`) : hash.update(`host:${nodeName}`).update(`file:${origin.path}`)).digest('hex');
}

/** Upstream: applyDefaults (v1.36, v1.20). */
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
    spec: { ...spec, nodeName, ...(tolerations.length > 0 || spec.tolerations ? { tolerations: [...(spec.tolerations ?? []), ...tolerations] } : {}) },
    status: { phase: 'Pending' },
  };
}
