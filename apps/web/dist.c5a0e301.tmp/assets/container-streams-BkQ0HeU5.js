var e=`/**
 * Streams into and out of containers, as functions: what stands behind the URLs of Exec, Attach and PortForward. The API server calls
 * them in process; a streaming server puts them behind SPDY and WebSocket.
 */
import type { Context } from '@podscope/trace';

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Takes bytes. */
export interface ByteSink {
  /** Resolves when the receiver can take more. Rejects when it is gone. */
  write(data: Uint8Array): Promise<void>;
}

/** A process's streams, seen from outside: what is left out is not connected. */
export interface ProcessStreams {
  /** With a terminal everything the process writes comes on stdout. */
  readonly tty: boolean;
  /** Its end is the process's end of file. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout?: ByteSink;
  readonly stderr?: ByteSink;
  /** New sizes of the terminal, as they come. */
  readonly resize?: AsyncIterable<TerminalSize>;
}

/** One connection to a port of a pod, seen from the client's side. */
export interface ForwardedConnection extends ByteSink {
  /** What the client sends; its end closes only that direction. */
  readonly source: AsyncIterable<Uint8Array>;
}

/** A command to run in a container. */
export interface ExecCommand {
  readonly containerId: string;
  readonly cmd: readonly string[];
}

/** Streams of one runtime. The context's signal is aborted when the client goes away. Failures are CriErrors. */
export interface ContainerStreams {
  /** Runs a command and answers its exit code. */
  exec(ctx: Context, command: ExecCommand, streams: ProcessStreams): Promise<number>;
  /** Connects to a container's main process until it ends. */
  attach(ctx: Context, containerId: string, streams: ProcessStreams): Promise<void>;
  /** Connects to a TCP port on the pod's loopback until either side is done. */
  portForward(ctx: Context, podSandboxId: string, port: number, connection: ForwardedConnection): Promise<void>;
}
`;export{e as default};
//# sourceMappingURL=container-streams-BkQ0HeU5.js.map