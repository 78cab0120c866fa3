/** A manifest file as the pod the kubelet runs. Upstream: applyDefaults and tryDecodeSinglePod (kubelet config/common.go, v1.36). */
import { createHash } from 'node:crypto';
import { type Pod, podHashAnnotation, readManifests } from '@podscope/k8s';

/** Where a manifest stands. */
type Origin = { readonly path: string } | { readonly url: string };

export interface StaticPodOptions {
  /** The file it stands in; another file with the same content is another pod. */
  readonly path: string;
  readonly nodeName: string;
  /** Releases before the gate PreventStaticPodAPIReferences let static pods name objects of the API. Default false. */
  readonly mayReferenceObjects?: boolean;
}

export interface StaticPodsOptions {
  readonly origin: Origin;
  readonly nodeName: string;
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

/** What a static pod may not ask of an API: it has to run without one. Upstream: tryDecodeSinglePod, gate PreventStaticPodAPIReferences (v1.36). */
function apiReference({ spec }: Pod): string | undefined {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  if (spec.serviceAccountName) return 'serviceaccounts';
  if ((spec.imagePullSecrets?.length ?? 0) > 0) return 'secrets';
  for (const { env = [], envFrom = [] } of containers) {
    if (envFrom.some(({ secretRef }) => secretRef) || env.some(({ valueFrom }) => valueFrom?.secretKeyRef)) return 'secrets';
    if (envFrom.some(({ configMapRef }) => configMapRef) || env.some(({ valueFrom }) => valueFrom?.configMapKeyRef)) return 'configmaps';
  }
  for (const { secret, configMap, projected } of spec.volumes ?? []) {
    if (secret || projected?.sources?.some((source) => source.secret)) return 'secrets';
    if (configMap || projected?.sources?.some((source) => source.configMap)) return 'configmaps';
    if (projected?.sources?.some((source) => source.serviceAccountToken)) return 'serviceaccounts';
  }
  return undefined;
}

/**
 * Reads the one pod of a manifest.
 * @throws Error saying what is wrong, and where
 */
export function parseStaticPod(text: string, { path, nodeName, mayReferenceObjects = false }: StaticPodOptions): Pod {
  const pods = readPods(text, limits);
  const [pod, ...others] = pods;
  if (!pod || others.length > 0) throw new Error(`expected one Pod in the file, found ${pods.length} objects`);
  return checked(pod, { path }, nodeName, mayReferenceObjects);
}

/**
 * Reads a pod or a list of pods.
 * @throws Error saying what is wrong, and where
 */
export function parseStaticPods(text: string, { origin, nodeName }: StaticPodsOptions): readonly Pod[] {
  return readPods(text, listLimits).map((pod) => checked(pod, origin, nodeName));
}

/** Directories and containers are named after it: it must not lead anywhere else. The API gives pods ids of its own; a manifest may bring one. */
const uidPattern = /^[a-z0-9](?:[a-z0-9.-]{0,126}[a-z0-9])?$/i;

function checked(pod: Pod, origin: Origin, nodeName: string, mayReferenceObjects = false): Pod {
  const { name, uid } = pod.metadata;
  if (!name) throw new Error('invalid pod: name is needed for the pod');
  if (uid && !uidPattern.test(uid)) throw new Error(`invalid pod: metadata.uid ${JSON.stringify(uid)} is not made of letters, digits, - and .`);
  const reference = mayReferenceObjects ? undefined : apiReference(pod);
  if (reference !== undefined) throw new Error(`static pods may not reference ${reference}`);
  return withStaticDefaults(pod, origin, nodeName);
}

/** Changes with the content, the node and the file; nothing else is read from it. */
const contentHash = (pod: Pod, origin: Origin, nodeName: string): string => {
  const hash = createHash('md5').update(JSON.stringify(pod));
  return ('url' in origin ? hash.update(`url:${origin.url}`) : hash.update(`host:${nodeName}`).update(`file:${origin.path}`)).digest('hex');
};

/** Upstream: applyDefaults (v1.36). */
function withStaticDefaults(pod: Pod, origin: Origin, nodeName: string): Pod {
  const uid = pod.metadata.uid || contentHash(pod, origin, nodeName);
  const tolerations = 'path' in origin ? [{ operator: 'Exists' as const, effect: 'NoExecute' as const }] : [];
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
    spec: { ...spec, nodeName, ...(tolerations.length > 0 || spec.tolerations ? { tolerations: [...(spec.tolerations ?? []), ...tolerations] } : {}) },
    status: { phase: 'Pending' },
  };
}
