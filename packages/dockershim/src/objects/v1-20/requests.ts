/** Reduces CRI v1 requests to what the v1.20 dockershim, which knew v1alpha2, would have read. */
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
 * v1.20 reads profiles from strings, and an empty list is the same to it as none. The seccomp profile is added later.
 */
function securityOf({ apparmor: _apparmor, ...known }: LinuxContainerSecurityContext): LinuxContainerSecurityContext {
  return {
    ...known,
    seccomp: { profileType: 'RuntimeDefault' },
    maskedPaths: nonEmpty(known.maskedPaths),
    readonlyPaths: nonEmpty(known.readonlyPaths),
  };
}

/** Returns the sandbox config; sandboxes of v1.20 are never privileged. */
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
 * Returns the cgroup parent: with systemd the path's last element. Upstream: generateExpectedCgroupParent (dockershim
 * docker_service.go, v1.20).
 */
export function cgroupParent({ cgroupDriver }: EngineFacts, requested = ''): Pick<HostConfig, 'CgroupParent'> {
  const parent = cgroupDriver === 'SYSTEMD' ? (requested.split('/').at(-1) ?? '') : requested;
  return parent === '' ? {} : { CgroupParent: parent };
}

/** Returns the host config without the fields that come from the Linux config, including the pod's namespaces. */
export function withoutLinux(host: HostConfig): HostConfig {
  const { NetworkMode: _network, IpcMode: _ipc, PidMode: _pid, UTSMode: _uts, ...rest } = host;
  return rest;
}
