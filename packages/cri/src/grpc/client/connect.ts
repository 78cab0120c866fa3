/** Connects to a CRI runtime on a Unix socket: containerd, CRI-O, cri-dockerd or dockershim. */
import { stat } from 'node:fs/promises';
import type { Context } from '@podscope/trace';
import { CriError, isCriError } from '../../error.ts';
import { fileContainerLogs } from '../../log-files/read.ts';
import type { VersionResponse } from '../../messages.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { ImageService, RuntimeService } from '../../services.ts';
import { type CriApiVersion, type Rpc, rpcsOf } from '../api-version.ts';
import { serviceSchemas } from '../codec/schema.ts';
import { socketPath } from '../endpoint.ts';
import { CriChannel } from './channel.ts';
import { defaultRequestTimeout } from './deadlines.ts';

export interface ConnectCriOptions {
  /** The kubelet's `runtimeRequestTimeout`, in ms. Default: 2 minutes. */
  readonly requestTimeout?: number;
  /** The time limit of the first call, in ms. Default: 10 s. */
  readonly connectTimeout?: number;
  /**
   * The context to whose trace the runtime's spans are joined, if the runtime supports that. Podscope's own runtimes
   * (`cri`, `start --cri-over-grpc`) do. Default: they aren't joined.
   */
  readonly trace?: Context;
}

/** A runtime behind a socket. */
export interface RemoteRuntime extends ContainerRuntime {
  readonly apiVersion: CriApiVersion;
  /** The runtime's response to the first Version call. */
  readonly version: VersionResponse;
  /** True if the runtime's spans are joined to the caller's trace. */
  readonly isTraced: boolean;
}

/**
 * Connects to a runtime with CRI v1, or v1alpha2 if it has no v1. Reconnects when the connection breaks; until then,
 * calls fail with Unavailable. Container logs are read from the runtime's files on this machine.
 * @throws CriError Unavailable that names the problem with the socket; Error for an invalid endpoint
 */
export async function connectCri(
  ctx: Context,
  endpoint: string,
  options: ConnectCriOptions = {},
): Promise<RemoteRuntime> {
  const path = socketPath(endpoint);
  await requireSocket(path);
  const channel = new CriChannel(path, options.requestTimeout ?? defaultRequestTimeout);
  try {
    const { apiVersion, version } = await negotiate(ctx, channel, options.connectTimeout ?? 10_000);
    const isTraced = options.trace !== undefined && (await channel.joinTrace(options.trace));
    const runtime = serviceOver(channel, apiVersion, 'RuntimeService') as RuntimeService;
    return {
      name: version.runtimeName,
      apiVersion,
      version,
      isTraced,
      runtime,
      images: serviceOver(channel, apiVersion, 'ImageService') as ImageService,
      logs: fileContainerLogs(runtime),
      deviations: () => channel.deviations,
      close: () => Promise.resolve(channel.close()),
    };
  } catch (error) {
    channel.close();
    throw error;
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket. Is the runtime running, and does it listen there?',
  EACCES: 'this user may not reach it. Run as root, or as a user that may use the socket.',
  ENOTDIR: 'there is no such socket: a part of its path is a file.',
};

async function requireSocket(path: string): Promise<void> {
  const unavailable = (reason: string, cause?: unknown): CriError =>
    new CriError('Unavailable', `no container runtime at unix://${path}: ${reason}`, { cause });
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unavailable(remedies[error.code ?? ''] ?? error.message, error);
  });
  if (!found.isSocket()) throw unavailable('the file at this path is not a socket.');
}

/**
 * Returns the newest version that both sides support. Upstream: determineAPIVersion (cri remote_runtime.go, v1.25, the
 * last release that supported both).
 */
async function negotiate(
  ctx: Context,
  channel: CriChannel,
  timeout: number,
): Promise<{ apiVersion: CriApiVersion; version: VersionResponse }> {
  const ask = async (apiVersion: CriApiVersion): Promise<VersionResponse> => {
    const rpc = rpcsOf(apiVersion, 'RuntimeService').find(({ name }) => name === 'Version');
    if (!rpc) throw new Error('the .proto file has no Version');
    return (await channel.unary(ctx, rpc, { version: kubeletRuntimeAPIVersion }, timeout)) as VersionResponse;
  };
  try {
    return { apiVersion: 'v1', version: await ask('v1') };
  } catch (error) {
    if (!isCriError(error, 'Unimplemented')) throw error;
    return { apiVersion: 'v1alpha2', version: await ask('v1alpha2') };
  }
}

/** The version that the kubelet sends in a Version call. Upstream: kubeRuntimeAPIVersion (kuberuntime_manager.go). */
const kubeletRuntimeAPIVersion = '0.1.0';

/** Returns a service with all RPCs. An RPC that the version lacks fails as Unimplemented. */
function serviceOver(channel: CriChannel, version: CriApiVersion, name: keyof typeof serviceSchemas): unknown {
  const known = new Map(rpcsOf(version, name).map((rpc) => [rpc.name, rpc]));
  const methods = rpcsOf('v1', name).map((newest) => [newest.key, methodOver(channel, known.get(newest.name), newest)]);
  return Object.fromEntries(methods);
}

function methodOver(
  channel: CriChannel,
  rpc: Rpc | undefined,
  { name, streams }: Rpc,
): (ctx: Context, request: object) => unknown {
  if (rpc) return (ctx, request) => (streams ? channel.stream(ctx, rpc, request) : channel.unary(ctx, rpc, request));
  const fail = (): Promise<never> =>
    Promise.reject(new CriError('Unimplemented', `unknown method ${name} for service runtime.v1alpha2`));
  return streams ? () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }) : fail;
}
