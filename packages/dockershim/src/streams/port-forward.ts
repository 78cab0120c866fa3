/** PortForward: a connection from inside the pod's network namespace, where this machine can enter it; else to the pod's address. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CriError, type ForwardedConnection } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ContainerInspect } from '../docker/schemas.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import type { Shim } from '../shim.ts';
import { inspectRunning } from './inspect-running.ts';

const dialer = fileURLToPath(new URL('./dial-in-namespace.ts', import.meta.url));
const maxPort = 65_535;
const maxErrorBytes = 4096;

/** Upstream: PortForward (dockershim docker_streaming_others.go, v1.20), which runs nsenter and socat. */
export async function portForward(shim: Shim, ctx: Context, podSandboxId: string, port: number, connection: ForwardedConnection): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > maxPort) throw new CriError('InvalidArgument', `invalid port ${port}`);
  const sandbox = await inspectRunning(shim, ctx, podSandboxId, 'podsandbox');
  const isHostNetwork = sandbox.HostConfig.NetworkMode === 'host';
  if (isHostNetwork && shim.engine.isLocal) await throughSocket(ctx, '127.0.0.1', port, connection);
  else if (shim.engine.hasLocalFiles) await throughNamespace(ctx, sandbox, port, connection);
  else await throughSocket(ctx, await addressOf(shim, ctx, sandbox), port, connection);
}

async function addressOf(shim: Shim, ctx: Context, sandbox: ContainerInspect): Promise<string> {
  const ip = (await sandboxStatusOf(shim, ctx, sandbox)).network?.ip;
  if (!ip) throw new CriError('FailedPrecondition', `sandbox ${sandbox.Id} has no address, and its network namespace cannot be entered from here`);
  return ip;
}

async function throughSocket(ctx: Context, host: string, port: number, connection: ForwardedConnection): Promise<void> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (cause) => reject(new CriError('Unavailable', `failed to connect to ${host}:${port}: ${cause.message}`, { cause })));
  });
  await join(ctx, socket, socket, connection);
}

/** A process of ours that joins the namespace and dials the loopback there: threads of this process must not change theirs. */
async function throughNamespace(ctx: Context, { State }: ContainerInspect, port: number, connection: ForwardedConnection): Promise<void> {
  const args = [`--net=/proc/${State.Pid}/ns/net`, '--', process.execPath, '--disable-warning=ExperimentalWarning', dialer, String(port)];
  const child = spawn('nsenter', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let problem = '';
  child.stderr.on('data', (data: Buffer) => {
    if (problem.length < maxErrorBytes) problem += data.toString();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new CriError('FailedPrecondition', `unable to do port forwarding: ${cause.message}`, { cause })));
    child.once('close', resolve);
  });
  try {
    await Promise.all([join(ctx, child.stdin, child.stdout, connection), ended]);
  } finally {
    child.kill();
  }
  if ((await ended) !== 0 && !ctx.signal.aborted) throw new CriError('Unavailable', problem.trim() || `port ${port} could not be reached`);
}

/** Copies both ways; each side's end closes its direction. Over when the pod's side has ended. */
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
