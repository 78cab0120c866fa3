/**
 * Builds the request that creates a container. Upstream: CreateContainer (dockershim docker_container.go, v1.20), with
 * the fields that CRI v1 added.
 */

import { posix } from 'node:path';
import {
  type ContainerConfig,
  type CreateContainerRequest,
  CriError,
  type LinuxContainerResources,
  type LinuxContainerSecurityContext,
  type Mount,
} from '@podscope/cri';
import type { DockershimDependencies } from '../../dependencies.ts';
import type { ContainerCreateBody, DockerMount, HostConfig } from '../../docker/create-body.ts';
import { compareApiVersions } from '../../docker/transport.ts';
import { cgroupParentFor } from '../../engine/cgroup-parent.ts';
import { deviceNodes } from '../../engine/device-nodes.ts';
import type { EngineFacts } from '../../engine/facts.ts';
import { exists } from '../../engine/local-files.ts';
import { labelKeys, makeLabels } from '../../objects/labels.ts';
import { metadataLabel } from '../../objects/metadata.ts';
import { defaultShmSize } from '../../sandbox/sandbox-config.ts';
import { apparmorOptions, seccompOptions, selinuxOptions } from '../../security/options.ts';
import { userOf } from '../../security/user.ts';
import { refuseUserNamespace } from '../../security/user-namespace.ts';
import { mountsOf } from './mounts.ts';
import { dockerSignal } from './stop-signal.ts';

/** The values that the request needs in addition to the CRI request. */
export interface ContainerSettings {
  readonly sandboxId: string;
  /** The sandbox's runtime handler; empty for the default. */
  readonly runtimeHandler: string;
  readonly oomScoreAdj: number;
  /** The capabilities that the engine lacks. They are dropped from containers that request all capabilities. */
  readonly missingCapabilities?: readonly string[];
  /** The engine's API version. Default: 1.41. */
  readonly apiVersion?: string;
  /** The mounts, if they differ from the mounts in the request. */
  readonly mounts?: readonly Mount[];
  /** The mounts that need Docker's long form. */
  readonly longMounts?: readonly DockerMount[];
  /** The user, if the request alone doesn't determine it. */
  readonly user?: string;
  /** Additional labels that dockershim itself needs. */
  readonly labels?: Readonly<Record<string, string>>;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Returns the fields that aren't undefined, empty, zero or false. Docker's client omits these values, too. */
function compact<T extends object>(fields: Optional<T>): Partial<T> {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && value !== 0 && value !== false,
  );
  return Object.fromEntries(kept) as Partial<T>;
}

const listOrNothing = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

function resourceConfig(resources: LinuxContainerResources): Partial<HostConfig> {
  const memory = resources.memoryLimitInBytes;
  return compact<HostConfig>({
    CpuShares: resources.cpuShares,
    CpuQuota: resources.cpuQuota,
    CpuPeriod: resources.cpuPeriod,
    CpusetCpus: resources.cpusetCpus,
    CpusetMems: resources.cpusetMems,
    Memory: memory,
    // A MemorySwap that equals the memory limit allows no swap.
    MemorySwap: resources.memorySwapLimitInBytes || memory,
  });
}

/**
 * Returns the namespaces that the container shares with its sandbox or the host. Upstream:
 * applyContainerSecurityContext (dockershim security_context.go, v1.20).
 */
function namespaceConfig({ namespaceOptions }: LinuxContainerSecurityContext, sandboxId: string): Partial<HostConfig> {
  refuseUserNamespace(namespaceOptions);
  const pid = namespaceOptions?.pid ?? 'POD';
  const pidModes = {
    NODE: 'host',
    POD: `container:${sandboxId}`,
    TARGET: `container:${namespaceOptions?.targetId ?? ''}`,
    CONTAINER: undefined,
  };
  return compact<HostConfig>({
    NetworkMode: `container:${sandboxId}`,
    IpcMode: `container:${sandboxId}`,
    UTSMode: namespaceOptions?.network === 'NODE' ? 'host' : undefined,
    PidMode: pidModes[pid],
  });
}

async function securityConfig(
  security: LinuxContainerSecurityContext,
  missing: readonly string[],
  engine: EngineFacts,
): Promise<Partial<HostConfig>> {
  const { capabilities = {}, privileged = false, supplementalGroups } = security;
  if (listOrNothing(capabilities.addAmbientCapabilities))
    throw new CriError('Unimplemented', 'ambient capabilities are not supported by Docker');
  if (privileged && missing.length > 0) return nearlyPrivileged(security, missing, engine);
  return compact<HostConfig>({
    Privileged: privileged,
    ReadonlyRootfs: security.readonlyRootfs,
    CapAdd: listOrNothing(capabilities.addCapabilities),
    CapDrop: listOrNothing([...(capabilities.dropCapabilities ?? []), ...(asksForAll(security) ? missing : [])]),
    GroupAdd: listOrNothing(supplementalGroups)?.map(String),
    // An empty list is sent to the engine, because it means that no path is masked.
    MaskedPaths: privileged ? undefined : security.maskedPaths,
    ReadonlyPaths: privileged ? undefined : security.readonlyPaths,
    SecurityOpt: listOrNothing([
      ...selinuxOptions(security.selinuxOptions),
      ...apparmorOptions(security),
      ...(security.noNewPrivs ? ['no-new-privileges'] : []),
      ...(await seccompOptions(security)),
    ]),
  });
}

/**
 * The API version of Docker 25. Older engines accept CDI devices and fail at the start with an error about device
 * drivers.
 */
const cdiSince = '1.44';

/**
 * Returns the request for devices by CDI name. The engine resolves the names.
 * @throws CriError Unimplemented if the engine doesn't support CDI
 */
function cdiRequests({ CDIDevices }: ContainerConfig, apiVersion = '1.41'): HostConfig['DeviceRequests'] {
  const names = listOrNothing(CDIDevices)?.map(({ name }) => name);
  if (names && compareApiVersions(apiVersion, cdiSince) < 0) {
    throw new CriError(
      'Unimplemented',
      `CDI devices (${names.join(', ')}) need Docker 25 or newer: this engine speaks API ${apiVersion}`,
    );
  }
  return names?.map((name) => ({ Driver: 'cdi', DeviceIDs: [name] }));
}

/** Returns true for a container that requests all capabilities. */
export const asksForAll = ({ privileged = false, capabilities }: LinuxContainerSecurityContext): boolean =>
  privileged || (capabilities?.addCapabilities ?? []).some((name) => name.toUpperCase() === 'ALL');

/**
 * Returns the settings of a privileged container without Docker's flag `privileged`. An engine that lacks capabilities
 * can't start a container with that flag.
 */
async function nearlyPrivileged(
  security: LinuxContainerSecurityContext,
  missing: readonly string[],
  { isLocal, rootDirectory }: EngineFacts,
): Promise<Partial<HostConfig>> {
  // If this process doesn't see the engine's root directory, it may run in a container, and its /dev is another one.
  // The engine then adds everything below /dev at the start. The start fails while a terminal is open on the engine's
  // machine, because runc can't create the node in /dev/pts. With a list, the start fails if a device has disappeared
  // since; the kubelet then creates a new container.
  const devices = isLocal && (await exists(rootDirectory)) ? await deviceNodes() : ['/dev'];
  return compact<HostConfig>({
    ReadonlyRootfs: security.readonlyRootfs,
    CapAdd: ['ALL'],
    CapDrop: missing,
    GroupAdd: listOrNothing(security.supplementalGroups)?.map(String),
    MaskedPaths: [],
    ReadonlyPaths: [],
    DeviceCgroupRules: ['a *:* rwm'],
    Devices: devices.map((path) => ({ PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm' })),
    SecurityOpt: [
      ...selinuxOptions(security.selinuxOptions),
      'apparmor=unconfined',
      ...(security.noNewPrivs ? ['no-new-privileges'] : []),
      'seccomp=unconfined',
    ],
  });
}

/**
 * Returns the request that creates a container.
 * @throws CriError InvalidArgument or Unimplemented for options that Docker doesn't support
 */
export async function makeContainerConfig(
  dependencies: Pick<DockershimDependencies, 'options' | 'engine'>,
  { config, sandboxConfig }: CreateContainerRequest,
  settings: ContainerSettings,
): Promise<ContainerCreateBody> {
  const security = config.linux?.securityContext ?? {};
  const { binds, mounts: imageMounts } = mountsOf(settings.mounts ?? config.mounts, {
    apiVersion: settings.apiVersion,
    hasSELinux: dependencies.engine.hasSELinux,
  });
  const mounts = [...imageMounts, ...(settings.longMounts ?? [])];
  const logPath = [sandboxConfig.logDirectory, config.logPath].filter(Boolean).join('/');
  const secured = await securityConfig(security, settings.missingCapabilities ?? [], dependencies.engine);
  const cdi = cdiRequests(config, settings.apiVersion);
  return {
    ...compact<ContainerCreateBody>({
      User: settings.user ?? userOf(security),
      Entrypoint: listOrNothing(config.command),
      Cmd: listOrNothing(config.args),
      Env: listOrNothing(config.envs)?.map(({ key, value }) => `${key}=${value}`),
      WorkingDir: config.workingDir,
      Tty: config.tty,
      OpenStdin: config.stdin,
      StdinOnce: config.stdinOnce,
      StopSignal: dockerSignal(config.stopSignal),
    }),
    // Turns off the image's health check, because the kubelet itself probes containers.
    Healthcheck: { Test: ['NONE'] },
    Image: config.image.image,
    Labels: makeLabels(config.labels, config.annotations, {
      [labelKeys.type]: 'container',
      [labelKeys.logPath]: logPath && posix.normalize(logPath),
      [labelKeys.sandboxId]: settings.sandboxId,
      [labelKeys.instance]: dependencies.options.instance,
      ...metadataLabel(config.metadata, sandboxConfig.metadata),
      ...settings.labels,
    }),
    HostConfig: {
      Binds: binds,
      ...(mounts.length > 0 ? { Mounts: mounts } : {}),
      RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
      ...resourceConfig(config.linux?.resources ?? {}),
      ...compact<HostConfig>({
        OomScoreAdj: settings.oomScoreAdj,
        CgroupParent: cgroupParentFor(dependencies.engine.cgroupDriver, sandboxConfig.linux?.cgroupParent),
        DeviceRequests: cdi,
        Runtime: settings.runtimeHandler,
      }),
      ...namespaceConfig(security, settings.sandboxId),
      ...secured,
      Devices: [
        ...(secured.Devices ?? []),
        ...(config.devices ?? []).map((device) => ({
          PathOnHost: device.hostPath,
          PathInContainer: device.containerPath,
          CgroupPermissions: device.permissions,
        })),
      ],
      ShmSize: defaultShmSize,
    },
  };
}
