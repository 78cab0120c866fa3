/** Reading a container's output through the runtime, for runtimes whose log files the node cannot read itself. */
import type { Context, Instant } from '@podscope/trace';

/** Which part of a log to read. */
export interface ContainerLogOptions {
  /** Go on with new lines until the container ends or the signal is aborted. */
  readonly follow?: boolean;
  /** Only the last lines. */
  readonly tailLines?: number;
  /** Only lines at or after this instant. */
  readonly since?: Instant;
}

/** One line, or a part of one. */
export interface ContainerLogLine {
  readonly time: Instant;
  readonly stream: 'stdout' | 'stderr';
  /** The text without its line end. */
  readonly text: string;
  /** True when the runtime cut the line and more of it follows. */
  readonly partial?: boolean;
}

/**
 * Gives out container logs. Beside CRI, as dockershim's GetContainerLogs was (DockerLegacyService, v1.20).
 * Fails with NotFound for an unknown container.
 */
export interface ContainerLogProvider {
  containerLogs(ctx: Context, containerId: string, options: ContainerLogOptions): AsyncIterable<ContainerLogLine>;
}

/** Everything the node needs of a container runtime. */
export interface ContainerRuntime {
  /** Runtime name as it stands before `://` in container ids: `docker`, `containerd`. */
  readonly name: string;
  readonly runtime: import('./services.ts').RuntimeService;
  readonly images: import('./services.ts').ImageService;
  readonly logs: ContainerLogProvider;
  /** What this engine forced the runtime to do otherwise than asked; shown to the user. */
  readonly deviations: () => readonly string[];
  /** Releases connections. Containers stay as they are. */
  close(): Promise<void>;
}
