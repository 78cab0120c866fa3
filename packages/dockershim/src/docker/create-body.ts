/**
 * Declares request bodies of the Docker Engine API, with the names of its fields. An omitted field has its zero value.
 */

/** A port of the host that is published for a port of the container. */
export interface PortBinding {
  readonly HostIp: string;
  readonly HostPort: string;
}

interface DeviceMapping {
  readonly PathOnHost: string;
  readonly PathInContainer: string;
  readonly CgroupPermissions: string;
}

interface DeviceRequest {
  readonly Driver: string;
  readonly DeviceIDs: readonly string[];
}

/** A mount in Docker's long form. */
export interface DockerMount {
  readonly Type: 'bind' | 'image';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly?: boolean;
  readonly BindOptions?: {
    readonly Propagation?: string;
    readonly CreateMountpoint?: boolean;
    readonly NonRecursive?: boolean;
    readonly ReadOnlyNonRecursive?: boolean;
    readonly ReadOnlyForceRecursive?: boolean;
  };
  readonly ImageOptions?: { readonly Subpath: string };
}

export interface HostConfig {
  readonly Binds?: readonly string[];
  readonly Mounts?: readonly DockerMount[];
  readonly NetworkMode?: string;
  readonly PortBindings?: Readonly<Record<string, readonly PortBinding[]>>;
  readonly RestartPolicy?: { readonly Name: '' | 'no'; readonly MaximumRetryCount: number };
  readonly CapAdd?: readonly string[];
  readonly CapDrop?: readonly string[];
  readonly Dns?: readonly string[];
  readonly DnsOptions?: readonly string[];
  readonly DnsSearch?: readonly string[];
  readonly GroupAdd?: readonly string[];
  readonly IpcMode?: string;
  readonly PidMode?: string;
  readonly UTSMode?: string;
  readonly Privileged?: boolean;
  readonly ReadonlyRootfs?: boolean;
  readonly SecurityOpt?: readonly string[];
  readonly Sysctls?: Readonly<Record<string, string>>;
  readonly ShmSize?: number;
  readonly Runtime?: string;
  readonly OomScoreAdj?: number;
  readonly CpuShares?: number;
  readonly CpuPeriod?: number;
  readonly CpuQuota?: number;
  readonly CpusetCpus?: string;
  readonly CpusetMems?: string;
  readonly Memory?: number;
  readonly MemorySwap?: number;
  readonly CgroupParent?: string;
  readonly Devices?: readonly DeviceMapping[];
  readonly DeviceRequests?: readonly DeviceRequest[];
  readonly DeviceCgroupRules?: readonly string[];
  readonly MaskedPaths?: readonly string[];
  readonly ReadonlyPaths?: readonly string[];
}

/** The body of `POST /containers/create`. */
export interface ContainerCreateBody {
  readonly Hostname?: string;
  readonly User?: string;
  readonly ExposedPorts?: Readonly<Record<string, Record<string, never>>>;
  readonly Tty?: boolean;
  readonly OpenStdin?: boolean;
  readonly StdinOnce?: boolean;
  readonly Env?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Healthcheck?: { readonly Test: readonly string[] };
  readonly Image: string;
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: HostConfig;
}

/** The body of `POST /containers/<id>/update`. */
export interface ContainerUpdateBody {
  readonly CpuPeriod?: number;
  readonly CpuQuota?: number;
  readonly CpuShares?: number;
  readonly CpusetCpus?: string;
  readonly CpusetMems?: string;
  readonly Memory?: number;
  readonly MemorySwap?: number;
  readonly RestartPolicy: { readonly Name: string; readonly MaximumRetryCount: number };
}

/** The body of `POST /containers/<id>/exec`. */
export interface ExecCreateBody {
  readonly Cmd: readonly string[];
  readonly AttachStdin: boolean;
  readonly AttachStdout: boolean;
  readonly AttachStderr: boolean;
  readonly Tty: boolean;
  readonly User?: string;
}
