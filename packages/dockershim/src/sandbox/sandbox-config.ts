/** The body that creates a sandbox. Upstream: makeSandboxDockerConfig (dockershim docker_sandbox.go, v1.20). */
import type { PodSandboxConfig, PortMapping } from '@podscope/cri';
import type { ContainerCreateBody, HostConfig, PortBinding } from '../docker/create-body.ts';
import { cgroupParentFor } from '../engine/cgroup-parent.ts';
import { labelKeys, makeLabels } from '../labels.ts';
import { metadataLabel } from '../metadata.ts';
import { sandboxContainerName } from '../names.ts';
import { selinuxOptions } from '../security/options.ts';
import { userOf } from '../security/user.ts';
import { refuseUserNamespace } from '../security/user-namespace.ts';
import type { Shim } from '../shim.ts';

/** Docker's default; without it a container would get no shared memory at all. */
export const defaultShmSize = 67_108_864;
const sandboxCpuShares = 2;

const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

/** Published ports; a mapping without a host port publishes nothing. Upstream: libdocker's makePortsAndBindings (v1.20). */
function portBindings(mappings: readonly PortMapping[] = []): Pick<ContainerCreateBody, 'ExposedPorts'> & Pick<HostConfig, 'PortBindings'> {
  const bindings: Record<string, PortBinding[]> = {};
  for (const { protocol = 'TCP', containerPort, hostPort, hostIp = '' } of mappings) {
    if (!hostPort) continue;
    const key = `${containerPort}/${protocols[protocol]}`;
    bindings[key] = [...(bindings[key] ?? []), { HostIp: hostIp, HostPort: String(hostPort) }];
  }
  return { ExposedPorts: Object.fromEntries(Object.keys(bindings).map((key) => [key, {}])), PortBindings: bindings };
}

/** What was settled before the body is made. */
export interface SandboxSettings {
  readonly image: string;
  /** The requested handler, empty for none. */
  readonly runtimeHandler: string;
  readonly oomScoreAdj: number;
}

/**
 * A privileged pod's sandbox is not privileged itself: pause needs no power, and joining its namespaces takes none from the containers.
 * @throws CriError InvalidArgument for what Docker cannot do.
 */
export function makeSandboxConfig(
  shim: Pick<Shim, 'options' | 'network' | 'engine'>,
  config: PodSandboxConfig,
  settings: SandboxSettings,
): ContainerCreateBody {
  const security = config.linux?.securityContext ?? {};
  const namespaces = security.namespaceOptions;
  refuseUserNamespace(namespaces);
  const { ExposedPorts, PortBindings } = portBindings(config.portMappings);
  const sysctls = config.linux?.sysctls ?? {};
  const groups = security.supplementalGroups ?? [];
  const cgroupParent = cgroupParentFor(shim.engine.cgroupDriver, config.linux?.cgroupParent);
  const user = userOf(security);
  // Without access to the engine's files its resolv.conf cannot be rewritten; then the engine writes it.
  const dns = shim.engine.hasLocalFiles ? undefined : config.dnsConfig;
  return {
    Hostname: config.hostname ?? '',
    Image: settings.image,
    Labels: makeLabels(config.labels, config.annotations, {
      [labelKeys.type]: 'podsandbox',
      [labelKeys.containerName]: sandboxContainerName,
      [labelKeys.instance]: shim.options.instance,
      ...(namespaces?.pid === 'POD' ? { [labelKeys.pidMode]: 'POD' } : {}),
      ...(settings.runtimeHandler ? { [labelKeys.runtimeHandler]: settings.runtimeHandler } : {}),
      ...metadataLabel(config.metadata, config.metadata),
    }),
    ...(user ? { User: user } : {}),
    ExposedPorts,
    HostConfig: {
      IpcMode: namespaces?.ipc === 'NODE' ? 'host' : 'shareable',
      NetworkMode: namespaces?.network === 'NODE' ? 'host' : shim.network.networkMode,
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
