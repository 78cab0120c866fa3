/** Declares how container output is read through a runtime whose log files the node can't read. */
import type { Context, Instant } from '@podscope/trace';

/** The part of a log to read. */
export interface ContainerLogOptions {
  /** Continue with new lines until the container exits or the signal is aborted. */
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
  /** The text without its line feed. */
  readonly text: string;
  /** True if the runtime split the line and the rest follows. */
  readonly partial?: boolean;
}

/**
 * Provides container logs, outside of CRI, as GetContainerLogs of dockershim (DockerLegacyService, v1.20).
 * Fails with NotFound for an unknown container.
 */
export interface ContainerLogProvider {
  containerLogs(ctx: Context, containerId: string, options: ContainerLogOptions): AsyncIterable<ContainerLogLine>;
}
