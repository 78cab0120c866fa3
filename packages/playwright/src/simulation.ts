/** What a simulated node is like: docs/simulator.md explains each member. */

/** Milliseconds, or `250ms`, `5s`, `1m30s`. */
type Duration = number | string;
/** Bytes, or a quantity as Kubernetes writes them: `25M`, `8Gi`. */
type Bytes = number | string;

/** What a repository of a registry holds. Without `tools` it is like an image that nobody has described: it has whatever program it is asked for. */
export interface SimulatedImage {
  readonly entrypoint?: string[];
  readonly command?: string[];
  readonly env?: Record<string, string>;
  readonly user?: string;
  readonly workingDir?: string;
  readonly stopSignal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH' | 'SIGKILL';
  readonly files?: Record<string, string>;
  /** Size of each layer on the wire. */
  readonly layers?: Bytes[];
  readonly tools?: 'busybox' | 'gnu' | 'none';
  readonly programs?: string[];
  readonly anyProgram?: boolean;
}

/** A registry. One that does not say what it holds is the usual one of that host, except for what it says. */
export interface SimulatedRegistry {
  /** `docker.io`, `*.example.com`, `*`. */
  readonly host: string;
  readonly repositories?: Record<string, SimulatedImage>;
  readonly otherRepositories?: SimulatedImage;
  /** Images without a namespace of their own must be among the repositories. */
  readonly libraryIsListed?: boolean;
  /** `*` in a name stands for anything. */
  readonly missingTags?: string[];
  readonly missingRepositories?: string[];
  readonly credentials?: { readonly username: string; readonly password: string }[];
  readonly failure?: 'no such host' | 'connection refused' | 'timeout' | 'unavailable';
  readonly latency?: Duration;
  readonly bytesPerSecond?: Bytes;
  readonly rateLimit?: { readonly pulls: number; readonly period: Duration };
  /** The part of the requests that fail, 0 to 1. */
  readonly flakiness?: number;
  /** The part of the connections for layers that break, where it is another. */
  readonly resets?: number;
}

/** What a simulated node is like. */
export interface SimulationDocument {
  readonly seed?: number | string;
  readonly images?: string[];
  readonly registries?: SimulatedRegistry[];
  /** Lives by `container`, `pod/container` or `namespace/pod/container`. */
  readonly scripts?: Record<string, string>;
  /** By the name of a CRI call, `CNI ADD` or `CNI DEL`. */
  readonly latencies?: Record<string, Duration>;
  readonly ipRange?: string;
  readonly faults?: {
    readonly operation: string;
    readonly message: string;
    readonly code?: string;
    readonly times?: number;
    readonly skip?: number;
    readonly after?: Duration;
    readonly probability?: number;
  }[];
  readonly nodeMemory?: Bytes;
  readonly sandboxImage?: string;
  readonly hasSandboxImage?: boolean;
}
