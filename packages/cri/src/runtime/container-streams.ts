/**
 * Declares exec, attach and port-forward as functions. The API server calls them in process; a streaming server offers
 * them over SPDY and WebSocket behind the URLs of CRI.
 */
import type { Context } from '@podscope/trace';

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** A receiver of bytes. */
export interface ByteSink {
  /** Resolves when the receiver accepts more. Rejects if it is gone. */
  write(data: Uint8Array): Promise<void>;
}

/** The client's ends of a process's streams; absent ones aren't connected. */
export interface ProcessStreams {
  /** With a terminal all output is stdout. */
  readonly tty: boolean;
  /** Its end closes the process's stdin. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout?: ByteSink;
  readonly stderr?: ByteSink;
  /** New sizes of the terminal. */
  readonly resize?: AsyncIterable<TerminalSize>;
}

/** The client's end of a connection to a pod's port. */
export interface ForwardedConnection extends ByteSink {
  /** The data that the client sends; its end closes only that direction. */
  readonly source: AsyncIterable<Uint8Array>;
}

/** A command to run in a container. */
export interface ExecCommand {
  readonly containerId: string;
  readonly cmd: readonly string[];
}

/** The streams of one runtime. The context's signal is aborted when the client goes away. Failures are CriErrors. */
export interface ContainerStreams {
  /** Runs a command and returns its exit code. */
  exec(ctx: Context, command: ExecCommand, streams: ProcessStreams): Promise<number>;
  /** Connects to a container's main process until it exits. */
  attach(ctx: Context, containerId: string, streams: ProcessStreams): Promise<void>;
  /** Connects to a TCP port on the pod's loopback until either side is done. */
  portForward(ctx: Context, podSandboxId: string, port: number, connection: ForwardedConnection): Promise<void>;
}
