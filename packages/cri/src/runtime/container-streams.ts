/**
 * Declares exec, attach and port-forward as functions. The API server calls them in its process. A streaming server
 * offers them with SPDY and WebSocket at the URLs that CRI returns.
 */
import type { Context } from '@podscope/trace';

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** A receiver of bytes. */
export interface ByteSink {
  /** Writes data. Resolves when the receiver accepts more, and rejects if it has disconnected. */
  write(data: Uint8Array): Promise<void>;
}

/** The client's ends of the streams of a process. A stream that is absent isn't connected. */
export interface ProcessStreams {
  /** Whether the process has a terminal. All output is stdout then. */
  readonly tty: boolean;
  /** The input. When it ends, the stdin of the process is closed. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout?: ByteSink;
  readonly stderr?: ByteSink;
  /** The new sizes of the terminal, as they change. */
  readonly resize?: AsyncIterable<TerminalSize>;
}

/** The client's end of a connection to a pod's port. */
export interface ForwardedConnection extends ByteSink {
  /** The data from the client. When it ends, only this direction is closed. */
  readonly source: AsyncIterable<Uint8Array>;
}

/** A command to run in a container. */
export interface ExecCommand {
  readonly containerId: string;
  readonly cmd: readonly string[];
}

/** The streams of a runtime. When the client disconnects, the context's signal is aborted. Errors are CriErrors. */
export interface ContainerStreams {
  /** Runs a command and returns its exit code. */
  exec(ctx: Context, command: ExecCommand, streams: ProcessStreams): Promise<number>;
  /** Connects to the main process of a container until the process exits. */
  attach(ctx: Context, containerId: string, streams: ProcessStreams): Promise<void>;
  /** Connects to a TCP port on the loopback of the pod until either side ends. */
  portForward(ctx: Context, podSandboxId: string, port: number, connection: ForwardedConnection): Promise<void>;
}
