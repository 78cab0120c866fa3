/**
 * Computes the mounts of a container: its volumes and /etc/hosts. Upstream: pkg/kubelet/kubelet_pods.go makeMounts
 * (v1.36 and v1.20).
 */
import { errorText } from '@podscope/base';
import { type Container, expand, goQuote, type Pod, type VolumeMount } from '@podscope/k8s';
import type { ContainerMount, OSInterface } from '../runtime.ts';
import { wrapError } from '../util/errors.ts';
import type { EnvironmentVariable } from './environment.ts';
import type { PodHostname } from './hostname.ts';
import { managedHostsFileContent, nodeHostsFileContent } from './hosts-file.ts';

/** A volume that has been set up and can be mounted into containers. */
export interface MountedVolume {
  /** The volume's path on the node; empty for an image volume. */
  readonly hostPath: string;
  /** True if the volume itself is read-only. */
  readonly readOnly: boolean;
  readonly managed?: boolean;
}

export type ImageVolumes = Readonly<Record<string, { readonly image: string; readonly userSpecifiedImage?: string }>>;

export interface MountsRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly podDir: string;
  readonly name: PodHostname;
  readonly podIPs: readonly string[];
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  readonly imageVolumes: ImageVolumes;
  readonly envs: readonly EnvironmentVariable[];
  readonly os: OSInterface;
  readonly readHostsFile: () => Promise<string>;
  /** Whether the hosts file is mounted into pods on the host network before they have an address. */
  readonly hostsFileForHostNetwork: boolean;
  /**
   * Whether the runtime handler supports recursive read-only mounts (`recursiveReadOnly: IfPossible` and `Enabled`).
   * Undefined in a release without that field.
   */
  readonly supportsRecursiveReadOnly: boolean | undefined;
  /** Logs a detail about the node's files that must not appear in the pod's events. */
  readonly warn: (message: string) => void;
}

const etcHostsPath = '/etc/hosts';
const hostsFileMode = 0o644;
const subPathMode = 0o777;

const propagations = {
  None: 'PROPAGATION_PRIVATE',
  HostToContainer: 'PROPAGATION_HOST_TO_CONTAINER',
  Bidirectional: 'PROPAGATION_BIDIRECTIONAL',
} as const;

/**
 * Returns the mounts in the order of the spec. /etc/hosts follows, unless a volume is mounted there. Writes the hosts
 * file and creates missing sub-path directories.
 * @throws Error when a volume is missing or a sub-path isn't allowed
 */
export async function makeMounts(request: MountsRequest): Promise<readonly ContainerMount[]> {
  const { container, pod } = request;
  const mounts: ContainerMount[] = [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries())
    mounts.push(await makeMount(request, index, mount));
  const wanted = request.podIPs.length > 0 || (request.hostsFileForHostNetwork && pod.spec.hostNetwork === true);
  const taken = (container.volumeMounts ?? []).some(({ mountPath }) => mountPath === etcHostsPath);
  if (wanted && !taken) mounts.push(await makeHostsMount(request));
  return mounts;
}

/**
 * Rejects block devices, which this node doesn't support. Upstream: makeBlockVolumes.
 * @throws Error when the container uses a block device
 */
export function checkBlockDevices({ name, volumeDevices = [] }: Container): void {
  for (const device of volumeDevices) {
    if (!device.devicePath.startsWith('/'))
      throw new Error(`error DevicePath \`${device.devicePath}\` must be an absolute path`);
    throw new Error(`cannot find volume ${goQuote(device.name)} to pass into container ${goQuote(name)}`);
  }
}

async function makeMount(request: MountsRequest, index: number, mount: VolumeMount): Promise<ContainerMount> {
  const { container, volumes, imageVolumes } = request;
  const image = imageVolumes[mount.name];
  const volume = volumes.get(mount.name);
  if (!volume && !image)
    throw new Error(`cannot find volume ${goQuote(mount.name)} to mount into container ${goQuote(container.name)}`);
  const subPath = expandSubPath(mount, request.envs);
  if (subPath !== '') checkSubPath(subPath);
  const readOnly = mount.readOnly === true || image !== undefined || volume?.readOnly === true;
  const common = {
    name: mount.name,
    containerPath: mount.mountPath.startsWith('/') ? mount.mountPath : `/${mount.mountPath}`,
    readOnly,
    recursiveReadOnly: recursiveReadOnly(request, mount),
    propagation: propagations[mount.mountPropagation ?? 'None'],
  };
  if (image) return { ...common, hostPath: '', image, ...(subPath === '' ? {} : { imageSubPath: subPath }) };
  const volumePath = volume?.hostPath ?? '';
  const hostPath = subPath === '' ? volumePath : await subPathOf(request, index, mount, volumePath, subPath);
  return { ...common, hostPath };
}

/**
 * Returns the sub-path of a mount after expanding its variables. Upstream: kubecontainer.ExpandContainerVolumeMounts.
 */
function expandSubPath({ subPath, subPathExpr }: VolumeMount, envs: readonly EnvironmentVariable[]): string {
  if (!subPathExpr) return subPath ?? '';
  const values = new Map(envs.map(({ name, value }) => [name, value]));
  const missing = new Set<string>();
  const expanded = expand(subPathExpr, (name) => {
    const value = values.get(name);
    if (!value) missing.add(name);
    return value ?? '';
  });
  if (missing.size > 0) throw new Error(`missing value for ${[...missing].toSorted().join(', ')}`);
  return expanded;
}

function checkSubPath(subPath: string): void {
  if (subPath.startsWith('/')) throw new Error(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split('/').includes('..'))
    throw new Error(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
}

/** Joins and cleans paths like Go's filepath.Join. The input must not contain `..`. */
const joinPath = (base: string, rest: string): string =>
  [base, ...rest.split('/').filter((part) => part !== '' && part !== '.')].join('/');

/**
 * Resolves the sub-path of a mount. Errors don't contain paths of the node, so that a pod can't find out which files
 * exist there.
 */
async function subPathOf(
  request: MountsRequest,
  index: number,
  mount: VolumeMount,
  volumePath: string,
  subPath: string,
): Promise<string> {
  const { os, container, podDir, warn } = request;
  const path = joinPath(volumePath, subPath);
  const attempt = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const text = `failed to ${what} for volumeMount ${goQuote(mount.name)} of container ${goQuote(container.name)}`;
      warn(`${text}: ${errorText(error)}`);
      throw new Error(text, { cause: error });
    }
  };
  if (!(await os.exists(path))) {
    await attempt(
      'create subPath directory',
      () => os.makeSubpath?.(volumePath, path) ?? os.mkdirAll(path, subPathMode),
    );
  }
  const target = `${podDir}/volume-subpaths/${mount.name}/${container.name}/${index}`;
  return attempt('prepare subPath', async () => os.prepareSubpath?.(volumePath, path, target) ?? path);
}

function recursiveReadOnly({ supportsRecursiveReadOnly: supported }: MountsRequest, mount: VolumeMount): boolean {
  if (supported === undefined) return false;
  try {
    return resolveRecursiveReadOnly(mount, supported);
  } catch (error) {
    throw wrapError('failed to resolve recursive read-only mode', error);
  }
}

/**
 * Returns whether a mount is recursively read-only.
 * @param supported whether the runtime handler supports recursively read-only mounts
 * @throws Error when the mode conflicts with the mount's other fields, or is `Enabled` and not supported
 */
export function resolveRecursiveReadOnly(
  { name, readOnly, mountPropagation, recursiveReadOnly: mode }: VolumeMount,
  supported: boolean,
): boolean {
  if (mode === undefined || mode === 'Disabled') return false;
  const of = `volume ${goQuote(name)} requested recursive read-only mode`;
  if (!readOnly) throw new Error(`${of}, but it is not read-only`);
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    throw new Error(`${of}, but it is not compatible with propagation ${goQuote(mountPropagation)}`);
  }
  if (mode === 'Enabled' && !supported) throw new Error(`${of}, but it is not supported by the runtime`);
  return supported;
}

async function makeHostsMount({
  pod,
  podDir,
  name,
  podIPs,
  os,
  readHostsFile,
}: MountsRequest): Promise<ContainerMount> {
  const hostPath = `${podDir}/etc-hosts`;
  const { hostAliases, hostNetwork } = pod.spec;
  const content = hostNetwork
    ? nodeHostsFileContent(await readHostsFile(), hostAliases)
    : managedHostsFileContent(podIPs, name.hostname, name.domain, hostAliases);
  await os.mkdirAll(podDir, 0o750);
  await os.writeFile(hostPath, content, hostsFileMode);
  return {
    name: 'k8s-managed-etc-hosts',
    containerPath: etcHostsPath,
    hostPath,
    readOnly: false,
    propagation: 'PROPAGATION_PRIVATE',
  };
}
