/** Declares how the output of containers is read if the node can't read the runtime's log files. */
import type { Context, Instant } from '@podscope/trace';

/** Which part of a log to read. */
export interface ContainerLogOptions {
  /** Whether to continue with new lines until the container exits or the signal is aborted. */
  readonly follow?: boolean;
  /** How many lines to read from the end. Absent: all lines. */
  readonly tailLines?: number;
  /** The time of the oldest line to read. Absent: all lines are read. */
  readonly since?: Instant;
}

/** A line of a log, or a part of a line. */
export interface ContainerLogLine {
  readonly time: Instant;
  readonly stream: 'stdout' | 'stderr';
  /** The text without its line feed. */
  readonly text: string;
  /** True if the runtime has split the line and the next part follows. */
  readonly partial?: boolean;
}

/**
 * Provides container logs, which CRI doesn't. Fails with NotFound for an unknown container. Upstream: GetContainerLogs
 * of dockershim (DockerLegacyService, v1.20).
 */
export interface ContainerLogProvider {
  containerLogs(ctx: Context, containerId: string, options: ContainerLogOptions): AsyncIterable<ContainerLogLine>;
}
