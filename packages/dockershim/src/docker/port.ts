/**
 * Declares the Docker Engine calls that dockershim makes. Implementations: dockerode-client.ts, instrumented.ts (adds
 * spans), testing/fake-docker.ts (in memory). Operations fail with {@link DockerError}.
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

/** Arguments of calls without parameters. */
type NoArguments = Readonly<Record<string, never>>;

/** Filters of a list, ANDed: `{ label: ['a=b'], status: ['running'] }`. */
export type DockerFilters = Readonly<Record<string, readonly string[]>>;

/** A chunk of a container's or an exec's output. */
export interface OutputFrame {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** The output of a finished exec, each stream truncated to the limit. */
export interface ExecOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** The image to pull, in the engine's parameters. */
export interface PullImageArgs {
  /** Name without tag: `busybox`. */
  readonly fromImage: string;
  /** Tag or digest. */
  readonly tag: string;
  readonly auth?: AuthConfig;
  readonly onMessage: (message: PullMessage) => void;
}

export interface LogsArgs {
  readonly id: string;
  readonly tty: boolean;
  readonly follow?: boolean;
  readonly tail?: number;
  /** Unix seconds with fraction. */
  readonly since?: string;
}

/** A hijacked HTTP connection to a process's streams. */
export interface ProcessConnection {
  /** The process's output. With a terminal all of it is stdout. */
  readonly output: AsyncIterable<OutputFrame>;
  /** Resolves when the connection accepts more data. */
  write(data: Uint8Array): Promise<void>;
  /** Closes the process's standard input. */
  endInput(): void;
  close(): void;
}

/** The streams of a container's main process to connect to. */
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

/** The Docker Engine API's calls that dockershim makes. */
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
  /** @param args.timeout seconds between the stop signal and SIGKILL. */
  stopContainer(ctx: Context, args: { readonly id: string; readonly timeout: number }): Promise<void>;
  /** Removes the container and its anonymous volumes. */
  removeContainer(ctx: Context, args: { readonly id: string; readonly force: boolean }): Promise<void>;
  updateContainer(ctx: Context, args: { readonly id: string; readonly body: ContainerUpdateBody }): Promise<void>;
  containerStats(ctx: Context, args: { readonly id: string }): Promise<DockerStats>;
  createExec(
    ctx: Context,
    args: { readonly id: string; readonly body: ExecCreateBody },
  ): Promise<{ readonly Id: string }>;
  /** Runs an exec without input and returns its output. Ends early if the context is aborted. */
  startExec(ctx: Context, args: { readonly id: string; readonly maxBytes: number }): Promise<ExecOutput>;
  inspectExec(ctx: Context, args: { readonly id: string }): Promise<ExecInspect>;
  resizeExec(ctx: Context, args: ResizeArgs): Promise<void>;
  resizeContainer(ctx: Context, args: ResizeArgs): Promise<void>;
  /** Runs an exec and connects to its streams. */
  startExecAttached(ctx: Context, args: { readonly id: string; readonly tty: boolean }): Promise<ProcessConnection>;
  /** Connects to a container's main process. */
  attach(ctx: Context, args: AttachArgs): Promise<ProcessConnection>;
  listImages(ctx: Context, args: { readonly filters: DockerFilters }): Promise<readonly ImageSummary[]>;
  inspectImage(ctx: Context, args: { readonly ref: string }): Promise<ImageInspect>;
  /** Resolves when the pull has finished. Aborting the context cancels it. */
  pullImage(ctx: Context, args: PullImageArgs): Promise<void>;
  removeImage(ctx: Context, args: { readonly ref: string }): Promise<void>;
  /** Yields a path of a container's file system as a tar archive. */
  archive(ctx: Context, args: { readonly id: string; readonly path: string }): AsyncIterable<Uint8Array>;
  /** Yields the container's output with a timestamp before each message. Ends when the context is aborted. */
  logs(ctx: Context, args: LogsArgs): AsyncIterable<OutputFrame>;
  /**
   * Yields events as they happen. Ends when the context is aborted; throws if the connection breaks.
   * @param args.since Unix seconds with fraction
   */
  events(ctx: Context, args: { readonly filters: DockerFilters; readonly since?: string }): AsyncIterable<DockerEvent>;
  /** The negotiated API version: `1.41`. */
  readonly apiVersion: string;
  /** Where the engine listens: `unix:///var/run/docker.sock`. */
  readonly endpoint: string;
  /** Closes idle connections. */
  close(): void;
}

/** The calls with a single answer. */
export type DockerOperation = Exclude<
  keyof DockerClient,
  'archive' | 'logs' | 'events' | 'apiVersion' | 'endpoint' | 'close'
>;

/** The arguments of an operation. */
export type DockerArgs<O extends DockerOperation> = Parameters<DockerClient[O]>[1];
