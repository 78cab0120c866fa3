/**
 * What the pod needs of its cluster and a snapshot does not hold: config maps, secrets, claims, tokens. Something of the same name stands in
 * for each, so that what worked there works here; what was missing there stays missing.
 */
import { type ConfigMap, type Container, encodeBase64, type KubernetesObject, type Pod, type PodSpec, type Secret, type Volume } from '@podscope/k8s';
import { type SnapshotText, sayOfSnapshot } from './notices.ts';
import { knownContainers } from './past-lives.ts';
import type { PodSnapshot } from './read-snapshots.ts';

export interface StandIns {
  /** The pod as the simulated node can run it. */
  readonly pod: Pod;
  /** Config maps and secrets. */
  readonly objects: readonly KubernetesObject[];
  /** What is different from the real one, for the person who looks. */
  readonly notices: readonly SnapshotText[];
}

type Keys = Map<string, Set<string>>;

function need(keys: Keys, name: string | undefined, wanted: readonly string[]): void {
  if (!name) return;
  const known = keys.get(name) ?? new Set<string>();
  for (const key of wanted) known.add(key);
  keys.set(name, known);
}

const itemKeys = (items: readonly { readonly key: string }[] | undefined): string[] => items?.map(({ key }) => key) ?? [];

const containersOf = (spec: PodSpec): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];

/** Every config map and secret that the pod names, with the keys that it names of them. */
function referenced(spec: PodSpec): { readonly configMaps: Keys; readonly secrets: Keys } {
  const configMaps: Keys = new Map();
  const secrets: Keys = new Map();
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { valueFrom } of env) {
      if (valueFrom?.configMapKeyRef) need(configMaps, valueFrom.configMapKeyRef.name, [valueFrom.configMapKeyRef.key]);
      if (valueFrom?.secretKeyRef) need(secrets, valueFrom.secretKeyRef.name, [valueFrom.secretKeyRef.key]);
    }
    for (const { configMapRef, secretRef } of envFrom) {
      need(configMaps, configMapRef?.name, []);
      need(secrets, secretRef?.name, []);
    }
  }
  for (const { configMap, secret, projected } of spec.volumes ?? []) {
    need(configMaps, configMap?.name, itemKeys(configMap?.items));
    need(secrets, secret?.secretName, itemKeys(secret?.items));
    for (const source of projected?.sources ?? []) {
      need(configMaps, source.configMap?.name, itemKeys(source.configMap?.items));
      need(secrets, source.secret?.name, itemKeys(source.secret?.items));
    }
  }
  return { configMaps, secrets };
}

/** What was said to be missing, in any message. */
function missing({ pod, events }: PodSnapshot) {
  const texts = [
    ...events.filter(({ type }) => type === 'Warning').map(({ message }) => message),
    ...knownContainers(pod).map(({ status }) => status.state?.waiting?.message ?? ''),
  ].join('\n');
  const namesOf = (kind: string): Set<string> =>
    new Set([...texts.matchAll(new RegExp(`${kind} "(?:[^"/]+/)?([^"]+)" not found`, 'gi'))].map(([, name = '']) => name));
  const keys = new Set(
    [...texts.matchAll(/couldn't find key (\S+) in (ConfigMap|Secret) [^\s/]+\/(\S+)/g)].map(([, key, kind, name]) => `${kind}/${name}/${key}`),
  );
  const volumes = new Set([...texts.matchAll(/(?:MountVolume|AttachVolume)\.\S+ failed for volume "([^"]+)"/g)].map(([, name = '']) => name));
  return { configMaps: namesOf('configmap'), secrets: namesOf('secret'), keys, volumes };
}

/** The kinds of volumes that the simulated node mounts as they are. */
const mountable = ['emptyDir', 'configMap', 'secret', 'downwardAPI', 'image'] as const;

const standInFor = (name: string): Volume => ({ name, emptyDir: {} });

function withoutTokens({ name, projected }: Volume): Volume {
  const sources = projected?.sources?.filter(({ configMap, secret, downwardAPI }) => configMap ?? secret ?? downwardAPI) ?? [];
  return sources.length > 0 ? { name, projected: { ...projected, sources } } : standInFor(name);
}

/** Extended resources: devices that no simulated node has. */
const isCommon = ([resource]: readonly [string, unknown]): boolean => /^(?:cpu|memory|ephemeral-storage)$/.test(resource);

function withCommonResources<C extends Container>(container: C): C {
  const { resources } = container;
  if (!resources) return container;
  const common = (list: typeof resources.limits): typeof list => list && Object.fromEntries(Object.entries(list).filter(isCommon));
  const { claims: _, ...rest } = resources;
  return {
    ...container,
    resources: { ...rest, ...(rest.limits && { limits: common(rest.limits) }), ...(rest.requests && { requests: common(rest.requests) }) },
  };
}

/** What marks the API's copy of a static pod. Upstream: pkg/kubelet/types/pod_update.go (v1.36). */
const staticPodMarks: ReadonlySet<string> = new Set(['mirror', 'hash', 'source', 'seen'].map((word) => `kubernetes.io/config.${word}`));

/** A copy without its original is deleted by a kubelet: the simulated node takes the pod for one of the API. */
function withoutMirrorMarks({ annotations, ...rest }: Pod['metadata']): Pod['metadata'] {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !staticPodMarks.has(key));
  return { ...rest, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) };
}

/** Makes the pod fit for the simulated node, and what it needs there. */
export function standIns(snapshot: PodSnapshot): StandIns {
  const { pod } = snapshot;
  const { metadata, spec } = pod;
  const notices: SnapshotText[] = [];
  const lacking = missing(snapshot);
  const volumes = spec.volumes?.map((volume) => {
    if (volume.projected) return withoutTokens(volume);
    if (mountable.some((kind) => volume[kind])) return volume;
    const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
    // It could not be mounted there; it can't be here.
    if (lacking.volumes.has(volume.name)) return volume;
    notices.push(sayOfSnapshot('volume', { volume: volume.name, kind }));
    return standInFor(volume.name);
  });
  const { nodeSelector, affinity, runtimeClassName, hostUsers, os, ...rest } = spec;
  if (nodeSelector ?? affinity) notices.push(sayOfSnapshot('scheduling'));
  if (runtimeClassName) notices.push(sayOfSnapshot('runtimeClass', { name: runtimeClassName }));
  if (hostUsers === false) notices.push(sayOfSnapshot('userNamespace'));
  if (os && os.name !== 'linux') notices.push(sayOfSnapshot('system', { os: os.name }));
  const isMirror = metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  if (isMirror) notices.push(sayOfSnapshot('mirror'));
  const fit: Pod = {
    ...pod,
    metadata: isMirror ? withoutMirrorMarks(metadata) : metadata,
    spec: {
      ...rest,
      ...(volumes && { volumes }),
      containers: spec.containers.map(withCommonResources),
      ...(spec.initContainers && { initContainers: spec.initContainers.map(withCommonResources) }),
    },
  };
  const namespace = metadata.namespace ?? 'default';
  const { configMaps, secrets } = referenced(spec);
  const meta = (kind: string, name: string) => ({ name, namespace, uid: `stand-in-${kind}-${name}` });
  const values = (kind: string, name: string, keys: ReadonlySet<string>): Record<string, string> =>
    Object.fromEntries([...keys].filter((key) => !lacking.keys.has(`${kind}/${name}/${key}`)).map((key) => [key, 'stand-in']));
  const objects: (ConfigMap | Secret)[] = [];
  for (const [name, keys] of configMaps) {
    if (lacking.configMaps.has(name)) continue;
    objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('configmap', name), data: values('ConfigMap', name, keys) });
  }
  for (const [name, keys] of secrets) {
    if (lacking.secrets.has(name)) continue;
    const data = Object.fromEntries(Object.entries(values('Secret', name, keys)).map(([key, value]) => [key, encodeBase64(value)]));
    objects.push({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: meta('secret', name), data });
  }
  for (const { name } of spec.imagePullSecrets ?? []) {
    if (!name || secrets.has(name) || lacking.secrets.has(name)) continue;
    const data = { '.dockerconfigjson': encodeBase64('{"auths":{}}') };
    objects.push({ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/dockerconfigjson', metadata: meta('secret', name), data });
  }
  if (objects.length > 0) notices.push(sayOfSnapshot('values'));
  return { pod: fit, objects, notices };
}
