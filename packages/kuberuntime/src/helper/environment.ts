/**
 * Builds the environment of a container. Upstream: pkg/kubelet/kubelet_pods.go makeEnvironmentVariables (v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import {
  type ConfigMap,
  type Container,
  decodeBase64,
  type EnvVar,
  type EnvVarSource,
  expand,
  extractFieldPathAsString,
  type FileKeySelector,
  goQuote,
  isStaticPod,
  mappingOf,
  type Pod,
  type ResourceList,
  type Secret,
  type Service,
} from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { EventRecorder } from '../runtime.ts';
import { readEnvFile } from './env-file.ts';
import { resourceFieldValue } from './resource-field.ts';
import { serviceEnvironment } from './service-environment.ts';

/** Reads the objects that variables refer to. A read returns undefined if the object doesn't exist. */
export interface EnvironmentSources {
  getConfigMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  getSecret(namespace: string, name: string): Promise<Secret | undefined>;
  /** Returns the services; undefined until they have been read for the first time. */
  listServices(): Promise<readonly Service[] | undefined>;
}

/** A file in one of the pod's volumes. */
export interface VolumeFile {
  /** Its path on the node. Links don't lead out of the volume. */
  readonly path: string;
  /** Returns its content; undefined if it doesn't exist. */
  read(): Promise<string | undefined>;
}

/** Returns a file in one of the pod's volumes; undefined if the volume isn't mounted. */
export type FindVolumeFile = (volume: string, path: string) => Promise<VolumeFile | undefined>;

/** Facts about the node that variables may refer to. */
export interface EnvironmentNode {
  readonly ips: readonly string[];
  readonly allocatable: ResourceList;
}

/** Differences between releases. */
export interface EnvironmentProfile {
  /** Whether `envFrom` omits names that are invalid in a shell. An event then lists the omitted names. */
  readonly refuseUnusualNames: boolean;
  /** True if `status.hostIPs` is supported. */
  readonly hostIPs: boolean;
  /** Whether the addresses of the node's primary IP family come first among the pod's addresses. */
  readonly nodeFamilyFirst: boolean;
  readonly podLevelResources: boolean;
}

export const environmentProfileV136: EnvironmentProfile = {
  refuseUnusualNames: false,
  hostIPs: true,
  nodeFamilyFirst: true,
  podLevelResources: true,
};

export interface EnvironmentRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly podIPs: readonly string[];
  readonly node: EnvironmentNode;
  readonly sources: EnvironmentSources;
  readonly recorder: EventRecorder;
  readonly profile: EnvironmentProfile;
  /** Returns files for `fileKeyRef`. Absent: no volume is mounted. */
  readonly volumeFile?: FindVolumeFile;
  /** Receives what an error doesn't reveal. */
  readonly warn: (message: string) => void;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

const usualName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
/**
 * Returns true for a valid name. `.` and names that start with `..` are invalid, because they are path segments.
 * Upstream: validation.IsEnvVarName (v1.20).
 */
const isEnvVarName = (name: string): boolean => usualName.test(name) && name !== '.' && !name.startsWith('..');

const decoder = new TextDecoder();

/** Returns the decoded values of a secret. */
function secretData(secret: Secret): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secret.data ?? {}).map(([key, value]) => [
      key,
      decoder.decode(decodeBase64(value) ?? new Uint8Array()),
    ]),
  );
}

type DataKind = 'configMap' | 'secret';

/** Reads the objects to which a container's variables refer, each only once. */
class ReferencedObjects {
  readonly #request: EnvironmentRequest;
  readonly #found = new Map<string, Readonly<Record<string, string>> | undefined>();

  constructor(request: EnvironmentRequest) {
    this.#request = request;
  }

  /**
   * Returns the data of an object, or undefined if it is missing and optional.
   * @throws Error when the object is missing and not optional
   */
  async data(
    kind: DataKind,
    name: string,
    optional: boolean | undefined,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const key = `${kind}/${name}`;
    if (!this.#found.has(key)) this.#found.set(key, await this.#read(kind, name));
    const data = this.#found.get(key);
    if (!data && !optional) throw new Error(`${kind.toLowerCase()} "${name}" not found`);
    return data;
  }

  async #read(kind: DataKind, name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const { sources, pod } = this.#request;
    const namespace = pod.metadata.namespace ?? '';
    if (kind === 'configMap') {
      const configMap = await sources.getConfigMap(namespace, name);
      return configMap && (configMap.data ?? {});
    }
    const secret = await sources.getSecret(namespace, name);
    return secret && secretData(secret);
  }
}

/**
 * Returns all variables of a container. The container's own variables come first, in the order in which they were first
 * set. The variables for services follow, except those with a name that the container sets itself.
 * @throws Error when a required object, key or field is missing
 */
export async function makeEnvironmentVariables(
  ctx: Context,
  request: EnvironmentRequest,
): Promise<readonly EnvironmentVariable[]> {
  const { pod, container, sources } = request;
  const { enableServiceLinks } = pod.spec;
  if (enableServiceLinks === undefined)
    throw new Error('nil pod.spec.enableServiceLinks encountered, cannot construct envvars');
  const services = await sources.listServices();
  if (!services && !isStaticPod(pod))
    throw new Error('services have not yet been read at least once, cannot construct envvars');
  const ofServices = serviceEnvironment(services ?? [], pod.metadata.namespace ?? '', enableServiceLinks);
  const objects = new ReferencedObjects(request);
  const result = new Map<string, string>();
  await addEnvFrom(ctx, request, objects, result);
  for (const variable of container.env ?? []) {
    const value = await valueOf(request, objects, variable, result, ofServices);
    if (value !== undefined) result.set(variable.name, value);
  }
  for (const [name, value] of Object.entries(ofServices)) if (!result.has(name)) result.set(name, value);
  return [...result].map(([name, value]) => ({ name, value }));
}

async function addEnvFrom(
  ctx: Context,
  request: EnvironmentRequest,
  objects: ReferencedObjects,
  result: Map<string, string>,
): Promise<void> {
  const { pod, container, recorder, profile } = request;
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const kind: DataKind = configMapRef ? 'configMap' : 'secret';
    const reference = configMapRef ?? secretRef;
    if (!reference) continue;
    const name = reference.name ?? '';
    const data = await objects.data(kind, name, reference.optional);
    const refused: string[] = [];
    for (const [key, value] of Object.entries(data ?? {})) {
      const variable = prefix + key;
      if (profile.refuseUnusualNames && !isEnvVarName(variable)) refused.push(variable);
      else result.set(variable, value);
    }
    if (refused.length === 0) continue;
    const keys = refused.toSorted().join(', ');
    const text =
      `Keys [${keys}] from the EnvFrom ${kind} ${pod.metadata.namespace ?? ''}/${name} were skipped since they ` +
      'are considered invalid environment variable names.';
    recorder.event(ctx, pod, 'Warning', 'InvalidEnvironmentVariableNames', text);
  }
}

/** Returns the value of a variable, or undefined to omit the variable. */
async function valueOf(
  request: EnvironmentRequest,
  objects: ReferencedObjects,
  { value, valueFrom }: EnvVar,
  set: ReadonlyMap<string, string>,
  ofServices: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (value !== undefined && value !== '') return expand(value, mappingOf(set, ofServices));
  return valueFrom ? valueFromSource(request, objects, valueFrom) : '';
}

async function valueFromSource(
  request: EnvironmentRequest,
  objects: ReferencedObjects,
  source: EnvVarSource,
): Promise<string | undefined> {
  const { pod, container, node, profile } = request;
  if (source.fieldRef) return fieldValue(request, source.fieldRef.fieldPath);
  if (source.fileKeyRef) return fileValue(request, source.fileKeyRef);
  if (source.resourceFieldRef)
    return resourceFieldValue(pod, container, source.resourceFieldRef, node.allocatable, profile.podLevelResources);
  const reference = source.configMapKeyRef ?? source.secretKeyRef;
  if (!reference)
    throw new Error(`unsupported source of an environment variable: ${Object.keys(source).join(', ') || 'none'}`);
  const kind: DataKind = source.configMapKeyRef ? 'configMap' : 'secret';
  const name = reference.name ?? '';
  const data = await objects.data(kind, name, reference.optional);
  const value = data && Object.hasOwn(data, reference.key) ? data[reference.key] : undefined;
  if (value !== undefined || reference.optional) return value;
  const title = kind === 'configMap' ? 'ConfigMap' : 'Secret';
  throw new Error(`couldn't find key ${reference.key} in ${title} ${pod.metadata.namespace ?? ''}/${name}`);
}

/**
 * Returns the value of a `fileKeyRef`, or undefined to omit the variable. Only a missing key is optional: without the
 * file, the container doesn't start. Since the file may contain secrets, the error doesn't say what is wrong with it.
 */
async function fileValue(
  { volumeFile, warn }: EnvironmentRequest,
  { volumeName, path, key, optional }: FileKeySelector,
): Promise<string | undefined> {
  const file = await volumeFile?.(volumeName, path);
  if (!file) throw new Error(`cannot find the volume ${goQuote(volumeName)} referenced by FileKeyRef`);
  let value: string;
  try {
    const content = await file.read();
    if (content === undefined) throw new Error(`open ${file.path}: no such file or directory`);
    value = readEnvFile(content, key);
  } catch (cause) {
    warn(`environment file of volume ${volumeName}: ${errorText(cause)}`);
    throw new Error("couldn't parse env file", { cause });
  }
  if (value === '' && !optional)
    throw new Error(`environment variable key ${goQuote(key)} not found in file ${goQuote(file.path)}`);
  return value || undefined;
}

/**
 * Returns the addresses sorted so that the addresses of the node's primary IP family come first. Upstream: sortPodIPs.
 */
function sortPodIPs(podIPs: readonly string[], nodeIPs: readonly string[]): readonly string[] {
  const [nodeIP] = nodeIPs;
  if (nodeIP === undefined) return podIPs;
  const family = (ip: string): boolean => ip.includes(':') === nodeIP.includes(':');
  const first = podIPs.find(family);
  const second = podIPs.find((ip) => !family(ip));
  return [first, second].filter((ip) => ip !== undefined);
}

/** Returns the value of a `fieldRef`. Upstream: podFieldSelectorRuntimeValue (v1.36 and v1.20). */
function fieldValue({ pod, podIPs: given, node, profile }: EnvironmentRequest, fieldPath: string): string {
  const podIPs = profile.nodeFamilyFirst ? sortPodIPs(given, node.ips) : given;
  switch (fieldPath) {
    case 'spec.nodeName':
      return pod.spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return node.ips[0] ?? '';
    case 'status.hostIPs':
      return profile.hostIPs ? node.ips.join(',') : extractFieldPathAsString(pod, fieldPath);
    case 'status.podIP':
      return podIPs[0] ?? '';
    case 'status.podIPs':
      return podIPs.join(',');
    default:
      return extractFieldPathAsString(pod, fieldPath);
  }
}
