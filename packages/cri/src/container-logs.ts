/** Reading a container's output through the runtime, for runtimes whose log files the node cannot read itself. */
import type { Context, Instant, Point } from '@podscope/trace';

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

/** Errors as the layers below CRI throw them. What a runtime lacks has no such layer. */
export interface RuntimeFailures {
  /** An answer of the Docker Engine. */
  docker?(status: number, message: string): Error;
  /** An error of a CNI plugin. */
  cni?(code: number, message: string, details: string | undefined): Error;
}

/** Everything the node needs of a container runtime. */
export interface ContainerRuntime {
  /** Runtime name as it stands before `://` in container ids: `docker`, `containerd`. */
  readonly name: string;
  readonly runtime: import('./services.ts').RuntimeService;
  readonly images: import('./services.ts').ImageService;
  readonly logs: ContainerLogProvider;
  /** Exec, attach and port-forward in process. Left out: they are reached through the URLs of the service only. */
  readonly streams?: import('./container-streams.ts').ContainerStreams;
  /** What this engine forced the runtime to do otherwise than asked; shown to the user. */
  readonly deviations: () => readonly string[];
  /** The places inside this runtime that can be seen and stopped at. */
  readonly points?: readonly Point[];
  /** Makes errors of this runtime's own kinds, for faults that a person injects. */
  readonly failures?: RuntimeFailures;
  /** Lets a running container exit with a code: for runtimes whose processes do as they are told. @throws CriError NotFound, FailedPrecondition */
  exitContainer?(id: string, code: number): Promise<void>;
  /** Releases connections. Containers stay as they are. */
  close(): Promise<void>;
}
