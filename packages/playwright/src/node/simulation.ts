/** Declares the settings of a simulated node. docs/use/simulator.md explains each field. */

/** A number of milliseconds, or a text such as `250ms`, `5s`, `1m30s`. */
type Duration = number | string;
/** A number of bytes, or a Kubernetes quantity: `25M`, `8Gi`. */
type Bytes = number | string;

/**
 * An image in a repository of a registry. Without `tools` it is an undescribed image, which has every program that a
 * container runs.
 */
export interface SimulatedImage {
  readonly entrypoint?: string[];
  readonly command?: string[];
  readonly env?: Record<string, string>;
  readonly user?: string;
  readonly workingDir?: string;
  readonly stopSignal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH' | 'SIGKILL';
  readonly files?: Record<string, string>;
  /** The size of each layer in transit. */
  readonly layers?: Bytes[];
  readonly tools?: 'busybox' | 'gnu' | 'none';
  readonly programs?: string[];
  readonly anyProgram?: boolean;
}

/** A registry. Without any repositories, its unset fields have the values of the host's default registry. */
export interface SimulatedRegistry {
  /** `docker.io`, `*.example.com`, `*`. */
  readonly host: string;
  readonly repositories?: Record<string, SimulatedImage>;
  readonly otherRepositories?: SimulatedImage;
  /** If true, images without a namespace must be listed in `repositories`. */
  readonly libraryIsListed?: boolean;
  /** `*` in a name matches anything. */
  readonly missingTags?: string[];
  readonly missingRepositories?: string[];
  readonly credentials?: { readonly username: string; readonly password: string }[];
  readonly failure?: 'no such host' | 'connection refused' | 'timeout' | 'unavailable';
  readonly latency?: Duration;
  readonly bytesPerSecond?: Bytes;
  readonly rateLimit?: { readonly pulls: number; readonly period: Duration };
  /** The fraction of requests that fail, 0 to 1. */
  readonly flakiness?: number;
  /** The fraction of layer downloads whose connection breaks, if it differs from `flakiness`. */
  readonly resets?: number;
}

/** The settings of a simulated node. */
export interface SimulationDocument {
  readonly seed?: number | string;
  readonly images?: string[];
  readonly registries?: SimulatedRegistry[];
  /** Scripts of processes by `container`, `pod/container` or `namespace/pod/container`. */
  readonly scripts?: Record<string, string>;
  /** Latencies by the name of a CRI call, `CNI ADD` or `CNI DEL`. */
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
  /** API version of the simulated Docker engine, such as `1.41`. */
  readonly engineApiVersion?: string;
  /** Names of runtime handlers for RuntimeClass objects. */
  readonly runtimeHandlers?: readonly string[];
}
