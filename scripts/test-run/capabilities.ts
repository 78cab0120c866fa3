/** Lists the capabilities that a test may need, and returns the reason if the machine lacks one. */

/** Facts about a machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** True if this process may create namespaces and mount in them. */
  readonly canUnshare: boolean;
  readonly cgroupVersion: 1 | 2 | undefined;
  /** Facts about the Docker engine; undefined if no engine answers. */
  readonly docker:
    | {
        readonly version: string;
        readonly isRootless: boolean;
        /**
         * True if the engine's containers run on this kernel and can reach this machine's addresses. False for Docker
         * Desktop.
         */
        readonly isLocal: boolean;
      }
    | undefined;
  /** Why the tests can't use an engine that answers; undefined if they can. */
  readonly whyNoDocker?: string | undefined;
  /** Programs of {@link programs} that are installed. */
  readonly programs: ReadonlySet<string>;
}

/** For each capability that depends on them, the programs and files that it requires. */
export const programs = {
  containerd: ['containerd', 'ctr'],
  cni: ['/usr/lib/cni/bridge', '/usr/lib/cni/portmap', '/usr/lib/cni/host-local', '/usr/lib/cni/firewall'],
  registry: ['/usr/bin/docker-registry'],
  kubectl: ['kubectl'],
  dockerd: ['dockerd', 'containerd'],
  openssl: ['openssl'],
  script: ['script'],
} as const;

/** A capability that a test may need. */
export type Capability = 'linux' | 'root' | 'docker' | 'local-docker' | 'namespaces' | 'mounts' | keyof typeof programs;

const isProgram = (capability: string): capability is keyof typeof programs => capability in programs;

/**
 * Returns why a machine lacks a capability, undefined if it has it. A test that mounts something for containers needs
 * `mounts`: root, and an engine in the same mount namespace.
 */
function missing(machine: Machine, capability: Capability): string | undefined {
  const { platform, isRoot, canUnshare, docker } = machine;
  if (isProgram(capability)) {
    const absent = programs[capability].filter((program) => !machine.programs.has(program));
    return absent.length === 0 ? undefined : `not installed: ${absent.join(', ')}`;
  }
  switch (capability) {
    case 'linux':
      return platform === 'linux' ? undefined : `needs Linux, this is ${platform}`;
    case 'root':
      return isRoot ? undefined : 'needs root';
    case 'docker':
      return docker ? undefined : (machine.whyNoDocker ?? 'no Docker engine answers');
    case 'local-docker':
      if (!docker) return missing(machine, 'docker');
      if (docker.isRootless) return 'the Docker engine is rootless: its network and cgroups are not the host’s';
      return docker.isLocal ? undefined : 'the Docker engine runs in another machine or a virtual one';
    case 'namespaces':
      return (
        missing(machine, 'linux') ??
        missing(machine, 'root') ??
        (canUnshare ? undefined : 'this process may not create namespaces')
      );
    case 'mounts':
      return missing(machine, 'root') ?? missing(machine, 'local-docker');
  }
}

/** Returns the reason why a test with these needs can't run on the machine, undefined if it can. */
export function whyNotRunnable(machine: Machine, needs: readonly Capability[]): string | undefined {
  for (const capability of needs) {
    const reason = missing(machine, capability);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
