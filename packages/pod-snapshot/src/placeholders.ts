/**
 * Creates placeholders for objects that the pod needs and that a snapshot doesn't contain: ConfigMaps, Secrets, claims
 * and tokens. An object that was missing in the cluster stays missing.
 */
import {
  type ConfigMap,
  type Container,
  encodeBase64,
  isMirrorPod,
  type KubernetesObject,
  type Pod,
  type PodSpec,
  type Secret,
  type Volume,
} from '@podscope/k8s';
import { type SnapshotText, snapshotText } from './notices.ts';
import { knownContainers } from './past-instances.ts';
import type { PodSnapshot } from './pod-snapshot.ts';

export interface Placeholders {
  /** The pod without the parts that the simulated node can't run. */
  readonly pod: Pod;
  /** ConfigMaps and Secrets. */
  readonly objects: readonly KubernetesObject[];
  /** The differences from the real pod, to show to the user. */
  readonly notices: readonly SnapshotText[];
}

type Keys = Map<string, Set<string>>;

function addKeys(keys: Keys, name: string | undefined, wanted: readonly string[]): void {
  if (!name) return;
  const known = keys.get(name) ?? new Set<string>();
  for (const key of wanted) known.add(key);
  keys.set(name, known);
}

const itemKeys = (items: readonly { readonly key: string }[] | undefined): string[] =>
  items?.map(({ key }) => key) ?? [];

const containersOf = (spec: PodSpec): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

/** Returns the ConfigMaps and Secrets that the pod references, with the referenced keys. */
function referenced(spec: PodSpec): { readonly configMaps: Keys; readonly secrets: Keys } {
  const configMaps: Keys = new Map();
  const secrets: Keys = new Map();
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { valueFrom } of env) {
      if (valueFrom?.configMapKeyRef)
        addKeys(configMaps, valueFrom.configMapKeyRef.name, [valueFrom.configMapKeyRef.key]);
      if (valueFrom?.secretKeyRef) addKeys(secrets, valueFrom.secretKeyRef.name, [valueFrom.secretKeyRef.key]);
    }
    for (const { configMapRef, secretRef } of envFrom) {
      addKeys(configMaps, configMapRef?.name, []);
      addKeys(secrets, secretRef?.name, []);
    }
  }
  for (const { configMap, secret, projected } of spec.volumes ?? []) {
    addKeys(configMaps, configMap?.name, itemKeys(configMap?.items));
    addKeys(secrets, secret?.secretName, itemKeys(secret?.items));
    for (const source of projected?.sources ?? []) {
      addKeys(configMaps, source.configMap?.name, itemKeys(source.configMap?.items));
      addKeys(secrets, source.secret?.name, itemKeys(source.secret?.items));
    }
  }
  return { configMaps, secrets };
}

/** Returns the objects, keys and volumes that a message reports as missing. */
function missing({ pod, events }: PodSnapshot) {
  const texts = [
    ...events.filter(({ type }) => type === 'Warning').map(({ message }) => message),
    ...knownContainers(pod).map(({ status }) => status.state?.waiting?.message ?? ''),
  ].join('\n');
  const namesOf = (kind: string): Set<string> =>
    new Set(
      [...texts.matchAll(new RegExp(`${kind} "(?:[^"/]+/)?([^"]+)" not found`, 'gi'))].map(([, name = '']) => name),
    );
  const keys = new Set(
    [...texts.matchAll(/couldn't find key (\S+) in (ConfigMap|Secret) [^\s/]+\/(\S+)/g)].map(
      ([, key, kind, name]) => `${kind}/${name}/${key}`,
    ),
  );
  const volumes = new Set(
    [...texts.matchAll(/(?:MountVolume|AttachVolume)\.\S+ failed for volume "([^"]+)"/g)].map(([, name = '']) => name),
  );
  return { configMaps: namesOf('configmap'), secrets: namesOf('secret'), keys, volumes };
}

/** Volume types that the simulated node can mount. */
const mountable = ['emptyDir', 'configMap', 'secret', 'downwardAPI', 'image'] as const;

const placeholderFor = (name: string): Volume => ({ name, emptyDir: {} });

function withoutTokens({ name, projected }: Volume): Volume {
  const sources =
    projected?.sources?.filter(({ configMap, secret, downwardAPI }) => configMap ?? secret ?? downwardAPI) ?? [];
  return sources.length > 0 ? { name, projected: { ...projected, sources } } : placeholderFor(name);
}

/** Returns whether the simulated node has the resource. It doesn't have extended resources. */
const isCommon = ([resource]: readonly [string, unknown]): boolean =>
  /^(?:cpu|memory|ephemeral-storage)$/.test(resource);

function withCommonResources<C extends Container>(container: C): C {
  const { resources } = container;
  if (!resources) return container;
  const common = (list: typeof resources.limits): typeof list =>
    list && Object.fromEntries(Object.entries(list).filter(isCommon));
  const { claims: _, ...rest } = resources;
  return {
    ...container,
    resources: {
      ...rest,
      ...(rest.limits && { limits: common(rest.limits) }),
      ...(rest.requests && { requests: common(rest.requests) }),
    },
  };
}

/** Annotations of static pods and mirror pods. Upstream: pkg/kubelet/types/pod_update.go (v1.36). */
const sourceAnnotations: ReadonlySet<string> = new Set(
  ['mirror', 'hash', 'source', 'seen'].map((word) => `kubernetes.io/config.${word}`),
);

/**
 * Removes the annotations of the pod's source. A kubelet deletes a mirror pod that has no static pod, and kills the
 * containers of a static pod that has no manifest.
 */
function withoutSource({ annotations, ...rest }: Pod['metadata']): Pod['metadata'] {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !sourceAnnotations.has(key));
  return { ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) };
}

/** Returns the pod adapted to the simulated node, and the placeholder objects that it needs. */
export function createPlaceholders(snapshot: PodSnapshot): Placeholders {
  const { pod } = snapshot;
  const { metadata, spec } = pod;
  const notices: SnapshotText[] = [];
  const absent = missing(snapshot);
  const volumes = spec.volumes?.map((volume) => {
    if (volume.projected) return withoutTokens(volume);
    if (mountable.some((kind) => volume[kind])) return volume;
    const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
    // A volume that failed to mount in the cluster must also fail to mount on the simulated node.
    if (absent.volumes.has(volume.name)) return volume;
    notices.push(snapshotText('volume', { volume: volume.name, kind }));
    return placeholderFor(volume.name);
  });
  const { nodeSelector, affinity, runtimeClassName, hostUsers, os, ...rest } = spec;
  if (nodeSelector ?? affinity) notices.push(snapshotText('scheduling'));
  if (runtimeClassName) notices.push(snapshotText('runtimeClass', { name: runtimeClassName }));
  if (hostUsers === false) notices.push(snapshotText('userNamespace'));
  if (os && os.name !== 'linux') notices.push(snapshotText('system', { os: os.name }));
  if (isMirrorPod(pod)) notices.push(snapshotText('mirror'));
  const adapted: Pod = {
    ...pod,
    // The kubelet's list of pods doesn't name the kind of its items.
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: withoutSource(metadata),
    spec: {
      ...rest,
      ...(volumes && { volumes }),
      containers: spec.containers.map(withCommonResources),
      ...(spec.initContainers && { initContainers: spec.initContainers.map(withCommonResources) }),
    },
  };
  const namespace = metadata.namespace ?? 'default';
  const { configMaps, secrets } = referenced(spec);
  const meta = (kind: string, name: string) => ({ name, namespace, uid: `placeholder-${kind}-${name}` });
  const values = (kind: string, name: string, keys: ReadonlySet<string>): Record<string, string> =>
    Object.fromEntries(
      [...keys].filter((key) => !absent.keys.has(`${kind}/${name}/${key}`)).map((key) => [key, 'placeholder']),
    );
  const objects: (ConfigMap | Secret)[] = [];
  for (const [name, keys] of configMaps) {
    if (absent.configMaps.has(name)) continue;
    objects.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: meta('configmap', name),
      data: values('ConfigMap', name, keys),
    });
  }
  for (const [name, keys] of secrets) {
    if (absent.secrets.has(name)) continue;
    const data = Object.fromEntries(
      Object.entries(values('Secret', name, keys)).map(([key, value]) => [key, encodeBase64(value)]),
    );
    objects.push({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: meta('secret', name), data });
  }
  for (const { name } of spec.imagePullSecrets ?? []) {
    if (!name || secrets.has(name) || absent.secrets.has(name)) continue;
    const data = { '.dockerconfigjson': encodeBase64('{"auths":{}}') };
    objects.push({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/dockerconfigjson',
      metadata: meta('secret', name),
      data,
    });
  }
  if (objects.length > 0) notices.push(snapshotText('values'));
  return { pod: adapted, objects, notices };
}
