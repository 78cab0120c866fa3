/**
 * Implements PortForward. If this machine can enter the pod's network namespace, it connects from inside the namespace;
 * otherwise to the pod's address. Upstream: portForward (dockershim docker_streaming_others.go, v1.20), which runs
 * nsenter and socat.
 */
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { CriError, type ForwardedConnection } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import { inspectRunning } from './inspect-running.ts';

const maxPort = 65_535;

/**
 * Connects a client with a TCP port of the pod until the pod closes its side.
 * @throws CriError InvalidArgument, NotFound, FailedPrecondition (the pod isn't running) or Unavailable (no process
 * listens on the port)
 */
export async function portForward(
  ctx: Context,
  dependencies: DockershimDependencies,
  podSandboxId: string,
  port: number,
  connection: ForwardedConnection,
): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > maxPort)
    throw new CriError('InvalidArgument', `invalid port ${port}`);
  const sandbox = await inspectRunning(ctx, dependencies, podSandboxId, 'podsandbox');
  const isHostNetwork = sandbox.HostConfig.NetworkMode === 'host';
  if (isHostNetwork && dependencies.engine.isLocal) await throughSocket(ctx, '127.0.0.1', port, connection);
  else if (dependencies.engine.hasLocalFiles) {
    const socket = await dependencies.dialers.connect(ctx, { sandboxId: sandbox.Id, pid: sandbox.State.Pid }, port);
    await join(ctx, socket, socket, connection);
  } else await throughSocket(ctx, await addressOf(ctx, dependencies, sandbox), port, connection);
}

async function addressOf(
  ctx: Context,
  dependencies: DockershimDependencies,
  sandbox: ContainerInspect,
): Promise<string> {
  const ip = (await sandboxStatusOf(ctx, dependencies, sandbox)).network?.ip;
  if (!ip)
    throw new CriError(
      'FailedPrecondition',
      `sandbox ${sandbox.Id} has no address, and its network namespace cannot be entered from here`,
    );
  return ip;
}

async function throughSocket(ctx: Context, host: string, port: number, connection: ForwardedConnection): Promise<void> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (cause) =>
      reject(new CriError('Unavailable', `failed to connect to ${host}:${port}: ${cause.message}`, { cause })),
    );
  });
  await join(ctx, socket, socket, connection);
}

/**
 * Copies data in both directions. When one side ends, the copy in its direction ends. Resolves when the pod's side has
 * ended.
 */
async function join(ctx: Context, target: Writable, output: Readable, connection: ForwardedConnection): Promise<void> {
  const cut = (): void => {
    target.destroy();
    output.destroy();
  };
  ctx.signal.addEventListener('abort', cut, { once: true });
  target.on('error', () => undefined);
  const sending = (async () => {
    for await (const data of connection.source) {
      await new Promise<void>((resolve, reject) => {
        target.write(data, (error) => (error ? reject(error) : resolve()));
      });
    }
    target.end();
  })().catch(cut);
  try {
    for await (const data of output) await connection.write(data as Uint8Array);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
  } finally {
    ctx.signal.removeEventListener('abort', cut);
    cut();
  }
  void sending;
}
