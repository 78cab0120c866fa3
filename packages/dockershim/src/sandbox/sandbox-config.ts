/**
 * Builds the request that creates a sandbox. Upstream: makeSandboxDockerConfig (dockershim docker_sandbox.go, v1.20).
 */
import type { PodSandboxConfig, PortMapping } from '@podscope/cri';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerCreateBody, HostConfig, PortBinding } from '../docker/create-body.ts';
import { cgroupParentFor } from '../engine/cgroup-parent.ts';
import { labelKeys, makeLabels } from '../objects/labels.ts';
import { metadataLabel } from '../objects/metadata.ts';
import { sandboxContainerName } from '../objects/names.ts';
import { selinuxOptions } from '../security/options.ts';
import { userOf } from '../security/user.ts';
import { refuseUserNamespace } from '../security/user-namespace.ts';

/** Docker's default size of /dev/shm in bytes. With 0, the container would have no shared memory. */
export const defaultShmSize = 67_108_864;
const sandboxCpuShares = 2;

const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

/**
 * Returns the ports to publish. A mapping without a host port is ignored. Upstream: libdocker's makePortsAndBindings
 * (v1.20).
 */
function portBindings(
  mappings: readonly PortMapping[] = [],
): Pick<ContainerCreateBody, 'ExposedPorts'> & Pick<HostConfig, 'PortBindings'> {
  const bindings: Record<string, PortBinding[]> = {};
  for (const { protocol = 'TCP', containerPort, hostPort, hostIp = '' } of mappings) {
    if (!hostPort) continue;
    const key = `${containerPort}/${protocols[protocol]}`;
    bindings[key] = [...(bindings[key] ?? []), { HostIp: hostIp, HostPort: String(hostPort) }];
  }
  return { ExposedPorts: Object.fromEntries(Object.keys(bindings).map((key) => [key, {}])), PortBindings: bindings };
}

/** The values that must be known before the request is built. */
export interface SandboxSettings {
  readonly image: string;
  /** The requested runtime handler; empty for the default. */
  readonly runtimeHandler: string;
  readonly oomScoreAdj: number;
}

/**
 * Returns the request that creates a sandbox. The sandbox of a privileged pod isn't privileged: the pause process needs
 * no privileges, and containers that join its namespaces keep theirs.
 * @throws CriError InvalidArgument for options that Docker doesn't support
 */
export function makeSandboxConfig(
  dependencies: Pick<DockershimDependencies, 'options' | 'network' | 'engine'>,
  config: PodSandboxConfig,
  settings: SandboxSettings,
): ContainerCreateBody {
  const security = config.linux?.securityContext ?? {};
  const namespaces = security.namespaceOptions;
  refuseUserNamespace(namespaces);
  const { ExposedPorts, PortBindings } = portBindings(config.portMappings);
  const sysctls = config.linux?.sysctls ?? {};
  const groups = security.supplementalGroups ?? [];
  const cgroupParent = cgroupParentFor(dependencies.engine.cgroupDriver, config.linux?.cgroupParent);
  const user = userOf(security);
  // If this process can't rewrite the engine's resolv.conf, the create request contains the DNS configuration.
  const dns = dependencies.engine.hasLocalFiles ? undefined : config.dnsConfig;
  return {
    Hostname: config.hostname ?? '',
    Image: settings.image,
    Labels: makeLabels(config.labels, config.annotations, {
      [labelKeys.type]: 'podsandbox',
      [labelKeys.containerName]: sandboxContainerName,
      [labelKeys.instance]: dependencies.options.instance,
      ...((namespaces?.pid ?? 'POD') === 'POD' ? { [labelKeys.pidMode]: 'POD' } : {}),
      ...(settings.runtimeHandler ? { [labelKeys.runtimeHandler]: settings.runtimeHandler } : {}),
      ...metadataLabel(config.metadata, config.metadata),
    }),
    ...(user ? { User: user } : {}),
    ExposedPorts,
    HostConfig: {
      IpcMode: namespaces?.ipc === 'NODE' ? 'host' : 'shareable',
      NetworkMode: namespaces?.network === 'NODE' ? 'host' : dependencies.network.networkMode,
      ...(namespaces?.pid === 'NODE' ? { PidMode: 'host' } : {}),
      PortBindings,
      RestartPolicy: { Name: '', MaximumRetryCount: 0 },
      ...(Object.keys(sysctls).length > 0 ? { Sysctls: sysctls } : {}),
      OomScoreAdj: settings.oomScoreAdj,
      CpuShares: sandboxCpuShares,
      ...(cgroupParent ? { CgroupParent: cgroupParent } : {}),
      SecurityOpt: [...selinuxOptions(security.selinuxOptions), 'no-new-privileges'],
      ...(groups.length > 0 ? { GroupAdd: groups.map(String) } : {}),
      ...(security.readonlyRootfs ? { ReadonlyRootfs: true } : {}),
      ...(settings.runtimeHandler ? { Runtime: settings.runtimeHandler } : {}),
      ...(dns ? { Dns: dns.servers ?? [], DnsSearch: dns.searches ?? [], DnsOptions: dns.options ?? [] } : {}),
      ShmSize: defaultShmSize,
    },
  };
}
