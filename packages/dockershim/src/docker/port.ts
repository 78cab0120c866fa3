/**
 * Declares the calls to the Docker Engine that dockershim makes. Implementations: dockerode-client.ts, instrumented.ts
 * (adds spans), testing/fake-docker.ts (in memory). A failed call throws {@link DockerError}.
 */
import type { AuthConfig } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody, ContainerUpdateBody, ExecCreateBody } from './create-body.ts';
import type {
  ContainerInspect,
  ContainerSummary,
  CreatedContainer,
  DiskUsage,
  DockerEvent,
  DockerInfo,
  DockerStats,
  DockerVersion,
  ExecInspect,
  ImageInspect,
  ImageSummary,
  PullMessage,
} from './schemas.ts';

/** The arguments of a call without parameters. */
type NoArguments = Readonly<Record<string, never>>;

/** The filters of a list. An object must match all of them, for example `{ label: ['a=b'], status: ['running'] }`. */
export type DockerFilters = Readonly<Record<string, readonly string[]>>;

/** A chunk of the output of a container or an exec. */
export interface OutputFrame {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** The output of a finished exec. Each stream is truncated at the limit. */
export interface ExecOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** The image to pull, as parameters of the engine's API. */
export interface PullImageArgs {
  /** The name without the tag, for example `busybox`. */
  readonly fromImage: string;
  /** The tag or the digest. */
  readonly tag: string;
  readonly auth?: AuthConfig;
  readonly onMessage: (message: PullMessage) => void;
}

export interface LogsArgs {
  readonly id: string;
  readonly tty: boolean;
  readonly follow?: boolean;
  readonly tail?: number;
  /** The instant from which to read, in Unix seconds with a fraction. */
  readonly since?: string;
}

/** A hijacked HTTP connection that carries the streams of a process. */
export interface ProcessConnection {
  /** The output of the process. With a terminal, all output is stdout. */
  readonly output: AsyncIterable<OutputFrame>;
  /** Writes to the standard input of the process. Resolves when the connection accepts more data. */
  write(data: Uint8Array): Promise<void>;
  /** Closes the standard input of the process. */
  endInput(): void;
  close(): void;
}

/** The container to attach to, and which streams of its main process. */
export interface AttachArgs {
  readonly id: string;
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

interface ResizeArgs {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** The calls to the Docker Engine API that dockershim makes. */
export interface DockerClient {
  version(ctx: Context, args: NoArguments): Promise<DockerVersion>;
  info(ctx: Context, args: NoArguments): Promise<DockerInfo>;
  diskUsage(ctx: Context, args: NoArguments): Promise<DiskUsage>;
  listContainers(
    ctx: Context,
    args: { readonly all: boolean; readonly filters: DockerFilters },
  ): Promise<readonly ContainerSummary[]>;
  inspectContainer(ctx: Context, args: { readonly id: string; readonly size?: boolean }): Promise<ContainerInspect>;
  createContainer(
    ctx: Context,
    args: { readonly name: string; readonly body: ContainerCreateBody },
  ): Promise<CreatedContainer>;
  startContainer(ctx: Context, args: { readonly id: string }): Promise<void>;
  /**
   * Stops a container.
   * @param args.timeout seconds between the stop signal and SIGKILL
   */
  stopContainer(ctx: Context, args: { readonly id: string; readonly timeout: number }): Promise<void>;
  /** Removes the container and its anonymous volumes. */
  removeContainer(ctx: Context, args: { readonly id: string; readonly force: boolean }): Promise<void>;
  updateContainer(ctx: Context, args: { readonly id: string; readonly body: ContainerUpdateBody }): Promise<void>;
  containerStats(ctx: Context, args: { readonly id: string }): Promise<DockerStats>;
  createExec(
    ctx: Context,
    args: { readonly id: string; readonly body: ExecCreateBody },
  ): Promise<{ readonly Id: string }>;
  /** Runs an exec without input and returns its output. If the context is aborted, returns the output up to then. */
  startExec(ctx: Context, args: { readonly id: string; readonly maxBytes: number }): Promise<ExecOutput>;
  inspectExec(ctx: Context, args: { readonly id: string }): Promise<ExecInspect>;
  resizeExec(ctx: Context, args: ResizeArgs): Promise<void>;
  resizeContainer(ctx: Context, args: ResizeArgs): Promise<void>;
  /** Runs an exec and returns a connection to its streams. */
  startExecAttached(ctx: Context, args: { readonly id: string; readonly tty: boolean }): Promise<ProcessConnection>;
  /** Returns a connection to the streams of a container's main process. */
  attach(ctx: Context, args: AttachArgs): Promise<ProcessConnection>;
  listImages(ctx: Context, args: { readonly filters: DockerFilters }): Promise<readonly ImageSummary[]>;
  inspectImage(ctx: Context, args: { readonly ref: string }): Promise<ImageInspect>;
  /** Pulls an image. Resolves when the pull has finished. Aborting the context cancels the pull. */
  pullImage(ctx: Context, args: PullImageArgs): Promise<void>;
  removeImage(ctx: Context, args: { readonly ref: string }): Promise<void>;
  /** Yields a tar archive of a path in a container's file system. */
  archive(ctx: Context, args: { readonly id: string; readonly path: string }): AsyncIterable<Uint8Array>;
  /** Yields the output of a container, with a timestamp before each message. Ends when the context is aborted. */
  logs(ctx: Context, args: LogsArgs): AsyncIterable<OutputFrame>;
  /**
   * Yields the engine's events as they happen. Ends when the context is aborted.
   * @param args.since the instant from which to read, in Unix seconds with a fraction
   * @throws DockerError if the connection breaks
   */
  events(ctx: Context, args: { readonly filters: DockerFilters; readonly since?: string }): AsyncIterable<DockerEvent>;
  /** The negotiated API version, for example `1.41`. */
  readonly apiVersion: string;
  /** The address of the engine, for example `unix:///var/run/docker.sock`. */
  readonly endpoint: string;
  /** Closes idle connections. */
  close(): void;
}

/** The calls that return a single answer. */
export type DockerOperation = Exclude<
  keyof DockerClient,
  'archive' | 'logs' | 'events' | 'apiVersion' | 'endpoint' | 'close'
>;

/** The arguments of an operation. */
export type DockerArgs<O extends DockerOperation> = Parameters<DockerClient[O]>[1];
