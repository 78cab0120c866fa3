/** Reduces CRI v1 requests to the fields of v1alpha2, which the v1.20 dockershim read. */
import type {
  ContainerConfig,
  CreateContainerRequest,
  LinuxContainerSecurityContext,
  PodSandboxConfig,
} from '@podscope/cri';
import type { HostConfig } from '../../docker/create-body.ts';
import type { EngineFacts } from '../../engine/facts.ts';

const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

/**
 * Removes fields that v1.20 doesn't have. v1.20 reads profiles from texts, and doesn't distinguish an empty list from a
 * missing one. The seccomp profile is added later.
 */
function securityOf({ apparmor: _apparmor, ...known }: LinuxContainerSecurityContext): LinuxContainerSecurityContext {
  return {
    ...known,
    seccomp: { profileType: 'RuntimeDefault' },
    maskedPaths: nonEmpty(known.maskedPaths),
    readonlyPaths: nonEmpty(known.readonlyPaths),
  };
}

/** Returns the sandbox config without the flag `privileged`: sandboxes of v1.20 are never privileged. */
export function sandboxRequest(config: PodSandboxConfig): PodSandboxConfig {
  const security = config.linux?.securityContext;
  return security
    ? { ...config, linux: { ...config.linux, securityContext: { ...security, privileged: false } } }
    : config;
}

export function containerRequest(request: CreateContainerRequest): CreateContainerRequest {
  const { stopSignal: _stopSignal, CDIDevices: _devices, ...known } = request.config;
  const { linux } = known;
  const resources = linux?.resources && {
    ...linux.resources,
    cpusetCpus: '',
    cpusetMems: '',
    memorySwapLimitInBytes: 0,
  };
  const mounts = known.mounts?.map(({ recursiveReadOnly: _recursive, ...mount }) => mount);
  const config: ContainerConfig = {
    ...known,
    ...(mounts ? { mounts } : {}),
    linux: { ...linux, resources, securityContext: securityOf(linux?.securityContext ?? {}) },
  };
  return { ...request, config };
}

/**
 * Returns the cgroup parent. For the driver systemd, it is the last element of the path. Upstream:
 * generateExpectedCgroupParent (dockershim docker_service.go, v1.20).
 */
export function cgroupParent({ cgroupDriver }: EngineFacts, requested = ''): Pick<HostConfig, 'CgroupParent'> {
  const parent = cgroupDriver === 'SYSTEMD' ? (requested.split('/').at(-1) ?? '') : requested;
  return parent === '' ? {} : { CgroupParent: parent };
}

/**
 * Returns the host config without the fields that come from the Linux config. The pod's namespaces are among these
 * fields.
 */
export function withoutLinux(host: HostConfig): HostConfig {
  const { NetworkMode: _network, IpcMode: _ipc, PidMode: _pid, UTSMode: _uts, ...rest } = host;
  return rest;
}
