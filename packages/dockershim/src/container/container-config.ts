/** The body that creates a container. Upstream: CreateContainer (dockershim docker_container.go, v1.20) with what CRI v1 added. */

import { posix } from 'node:path';
import {
  type ContainerConfig,
  type CreateContainerRequest,
  CriError,
  type LinuxContainerResources,
  type LinuxContainerSecurityContext,
  type Mount,
} from '@podscope/cri';
import type { ContainerCreateBody, DockerMount, HostConfig } from '../docker/create-body.ts';
import { compareApiVersions } from '../docker/transport.ts';
import { cgroupParentFor } from '../engine/cgroup-parent.ts';
import { labelKeys, makeLabels } from '../labels.ts';
import { metadataLabel } from '../metadata.ts';
import { defaultShmSize } from '../sandbox/sandbox-config.ts';
import { apparmorOptions, seccompOptions, selinuxOptions } from '../security/options.ts';
import { userOf } from '../security/user.ts';
import { refuseUserNamespace } from '../security/user-namespace.ts';
import type { Shim } from '../shim.ts';
import { mountsOf } from './mounts.ts';
import { dockerSignal } from './stop-signal.ts';

/** What was settled before the body is made. */
export interface ContainerSettings {
  readonly sandboxId: string;
  /** The sandbox's runtime handler, empty for the default. */
  readonly runtimeHandler: string;
  readonly oomScoreAdj: number;
  /** What has to be left out of all capabilities, where all are asked for. */
  readonly missingCapabilities?: readonly string[];
  /** The engine's API version, for what it says differently since; 1.41 when left out. */
  readonly apiVersion?: string;
  /** Where they differ from the request's. */
  readonly mounts?: readonly Mount[];
  /** Mounts that only the engine's long form can say. */
  readonly longMounts?: readonly DockerMount[];
  /** Who it runs as, where the request does not say all of it. */
  readonly user?: string;
  /** Notes of our own that it carries. */
  readonly labels?: Readonly<Record<string, string>>;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Leaves out what is undefined, empty or zero, as Docker's own client does. */
function compact<T extends object>(fields: Optional<T>): Partial<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== 0 && value !== false);
  return Object.fromEntries(kept) as Partial<T>;
}

const listOrNothing = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list && list.length > 0 ? list : undefined);

function resourceConfig(resources: LinuxContainerResources): Partial<HostConfig> {
  const memory = resources.memoryLimitInBytes;
  return compact<HostConfig>({
    CpuShares: resources.cpuShares,
    CpuQuota: resources.cpuQuota,
    CpuPeriod: resources.cpuPeriod,
    CpusetCpus: resources.cpusetCpus,
    CpusetMems: resources.cpusetMems,
    Memory: memory,
    // The same as memory: no swap.
    MemorySwap: resources.memorySwapLimitInBytes || memory,
  });
}

/** Which namespaces the container shares. Upstream: applyContainerSecurityContext's namespace part (security_context.go, v1.20). */
function namespaceConfig({ namespaceOptions }: LinuxContainerSecurityContext, sandboxId: string): Partial<HostConfig> {
  refuseUserNamespace(namespaceOptions);
  const pid = namespaceOptions?.pid ?? 'POD';
  const pidModes = { NODE: 'host', POD: `container:${sandboxId}`, TARGET: `container:${namespaceOptions?.targetId ?? ''}`, CONTAINER: undefined };
  return compact<HostConfig>({
    NetworkMode: `container:${sandboxId}`,
    IpcMode: `container:${sandboxId}`,
    UTSMode: namespaceOptions?.network === 'NODE' ? 'host' : undefined,
    PidMode: pidModes[pid],
  });
}

async function securityConfig(security: LinuxContainerSecurityContext, missing: readonly string[]): Promise<Partial<HostConfig>> {
  const { capabilities = {}, privileged = false, supplementalGroups } = security;
  if (listOrNothing(capabilities.addAmbientCapabilities)) throw new CriError('Unimplemented', 'ambient capabilities are not supported by Docker');
  if (privileged && missing.length > 0) return nearlyPrivileged(security, missing);
  return compact<HostConfig>({
    Privileged: privileged,
    ReadonlyRootfs: security.readonlyRootfs,
    CapAdd: listOrNothing(capabilities.addCapabilities),
    CapDrop: listOrNothing([...(capabilities.dropCapabilities ?? []), ...(asksForAll(security) ? missing : [])]),
    GroupAdd: listOrNothing(supplementalGroups)?.map(String),
    // An empty list is sent: it means that no path is masked.
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

/** Docker 25. Older engines would fail at the start only, with words of device drivers. */
const cdiSince = '1.44';

/** Devices by their CDI names, which the engine looks up itself. @throws CriError Unimplemented on an engine that knows none */
function cdiRequests({ CDIDevices }: ContainerConfig, apiVersion = '1.41'): HostConfig['DeviceRequests'] {
  const names = listOrNothing(CDIDevices)?.map(({ name }) => name);
  if (names && compareApiVersions(apiVersion, cdiSince) < 0) {
    throw new CriError('Unimplemented', `CDI devices (${names.join(', ')}) need Docker 25 or newer: this engine speaks API ${apiVersion}`);
  }
  return names?.map((name) => ({ Driver: 'cdi', DeviceIDs: [name] }));
}

/** True for a container that wants all capabilities. */
export const asksForAll = ({ privileged = false, capabilities }: LinuxContainerSecurityContext): boolean =>
  privileged || (capabilities?.addCapabilities ?? []).some((name) => name.toUpperCase() === 'ALL');

/** A privileged container, by hand: for engines that lack capabilities and so cannot start what Docker calls privileged. */
function nearlyPrivileged(security: LinuxContainerSecurityContext, missing: readonly string[]): Partial<HostConfig> {
  return compact<HostConfig>({
    ReadonlyRootfs: security.readonlyRootfs,
    CapAdd: ['ALL'],
    CapDrop: missing,
    GroupAdd: listOrNothing(security.supplementalGroups)?.map(String),
    MaskedPaths: [],
    ReadonlyPaths: [],
    DeviceCgroupRules: ['a *:* rwm'],
    Devices: [{ PathOnHost: '/dev', PathInContainer: '/dev', CgroupPermissions: 'rwm' }],
    SecurityOpt: [
      ...selinuxOptions(security.selinuxOptions),
      'apparmor=unconfined',
      ...(security.noNewPrivs ? ['no-new-privileges'] : []),
      'seccomp=unconfined',
    ],
  });
}

/** @throws CriError InvalidArgument or Unimplemented for what Docker cannot do. */
export async function makeContainerConfig(
  shim: Pick<Shim, 'options' | 'engine'>,
  { config, sandboxConfig }: CreateContainerRequest,
  settings: ContainerSettings,
): Promise<ContainerCreateBody> {
  const security = config.linux?.securityContext ?? {};
  const { binds, mounts: imageMounts } = mountsOf(settings.mounts ?? config.mounts, settings.apiVersion);
  const mounts = [...imageMounts, ...(settings.longMounts ?? [])];
  const logPath = [sandboxConfig.logDirectory, config.logPath].filter(Boolean).join('/');
  const secured = await securityConfig(security, settings.missingCapabilities ?? []);
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
    // The kubelet probes; the image's own health check would only cost.
    Healthcheck: { Test: ['NONE'] },
    Image: config.image.image,
    Labels: makeLabels(config.labels, config.annotations, {
      [labelKeys.type]: 'container',
      [labelKeys.logPath]: logPath && posix.normalize(logPath),
      [labelKeys.sandboxId]: settings.sandboxId,
      [labelKeys.instance]: shim.options.instance,
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
        CgroupParent: cgroupParentFor(shim.engine.cgroupDriver, sandboxConfig.linux?.cgroupParent),
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
