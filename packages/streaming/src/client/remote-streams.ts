/** Implements exec, attach and port-forward of a remote runtime through the URLs of its CRI service. */
import {
  type ContainerStreams,
  CriError,
  type ForwardedConnection,
  type ProcessStreams,
  type RuntimeService,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { z } from 'zod';
import { portForwardProtocol } from '../port-forward/serve.ts';
import { hasJsonStatus, hasResize, spdyProtocols } from '../remote-command/protocols.ts';
import type { SpdyConnection } from '../spdy/connection.ts';
import type { SpdyStream } from '../spdy/stream.ts';
import { connectSpdy } from './connect.ts';

const statusSchema = z.object({
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional() })
    .optional(),
});

/** @throws CriError if the command couldn't be run */
function exitCodeOf(text: string, isJson: boolean): number {
  if (!isJson) {
    if (text) throw new CriError('Unknown', text);
    return 0;
  }
  const status = statusSchema.parse(JSON.parse(text || '{"status":"Success"}'));
  if (status.status === 'Success') return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  if (status.reason === 'NonZeroExitCode' && cause) return Number(cause.message);
  throw new CriError('Unknown', status.message ?? 'the command failed without a reason');
}

async function readText(stream: SpdyStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.source) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const wantedOf = (streams: ProcessStreams): { stdin: boolean; stdout: boolean; stderr: boolean; tty: boolean } => ({
  stdin: streams.stdin !== undefined,
  stdout: streams.stdout !== undefined,
  stderr: streams.stderr !== undefined && !streams.tty,
  tty: streams.tty,
});

/** Copies until the source ends, then closes the stream. Stops if the receiver is gone. */
async function pump(source: AsyncIterable<Uint8Array>, target: SpdyStream): Promise<void> {
  try {
    for await (const data of source) await target.write(data);
  } catch {
    return;
  } finally {
    await target.end();
  }
}

async function drain(source: SpdyStream, target: { write(data: Uint8Array): Promise<void> }): Promise<void> {
  for await (const data of source.source) await target.write(data);
}

/** Runs a command over SPDY. Upstream: remotecommand.Executor (client-go, v1.36). */
async function runCommand(ctx: Context, url: string, streams: ProcessStreams): Promise<number> {
  const { connection, protocol } = await connectSpdy(url, spdyProtocols, ctx.signal);
  const cut = (): void => connection.destroy();
  ctx.signal.addEventListener('abort', cut, { once: true });
  try {
    const open = (streamType: string): Promise<SpdyStream> => connection.open({ streamtype: streamType });
    const wanted = wantedOf(streams);
    const error = await open('error');
    const stdin = wanted.stdin ? await open('stdin') : undefined;
    const stdout = wanted.stdout ? await open('stdout') : undefined;
    const stderr = wanted.stderr ? await open('stderr') : undefined;
    const resize = streams.tty && hasResize(protocol) ? await open('resize') : undefined;
    // Send input after all streams are open: the command starts only then, and a server with much unread input stops
    // reading the connection.
    if (stdin && streams.stdin) void pump(streams.stdin, stdin);
    if (resize) void sendSizes(streams, resize);
    const [outcome] = await Promise.all([
      readText(error),
      stdout && streams.stdout ? drain(stdout, streams.stdout) : undefined,
      stderr && streams.stderr ? drain(stderr, streams.stderr) : undefined,
    ]);
    return exitCodeOf(outcome, hasJsonStatus(protocol));
  } finally {
    ctx.signal.removeEventListener('abort', cut);
    await connection.close();
  }
}

async function sendSizes({ resize }: ProcessStreams, stream: SpdyStream): Promise<void> {
  try {
    for await (const { width, height } of resize ?? [])
      await stream.write(Buffer.from(JSON.stringify({ Width: width, Height: height })));
  } catch {
    // The command has ended, so no further sizes can be sent.
  }
}

async function forward(connection: SpdyConnection, port: number, client: ForwardedConnection): Promise<void> {
  const headers = { port: String(port), requestid: '0' };
  const error = await connection.open({ ...headers, streamtype: 'error' });
  await error.end();
  const data = await connection.open({ ...headers, streamtype: 'data' });
  void pump(client.source, data);
  const [failure] = await Promise.all([readText(error), drain(data, client)]);
  if (failure) throw new CriError('Unknown', failure);
}

/** Returns {@link ContainerStreams} over the URLs of a service. */
export function remoteStreams(runtime: Pick<RuntimeService, 'exec' | 'attach' | 'portForward'>): ContainerStreams {
  return {
    async exec(ctx, { containerId, cmd }, streams) {
      const { url } = await runtime.exec(ctx, { containerId, cmd, ...wantedOf(streams) });
      return runCommand(ctx, url, streams);
    },
    async attach(ctx, containerId, streams) {
      const { url } = await runtime.attach(ctx, { containerId, ...wantedOf(streams) });
      await runCommand(ctx, url, streams);
    },
    async portForward(ctx, podSandboxId, port, client) {
      const { url } = await runtime.portForward(ctx, { podSandboxId, port: [port] });
      const { connection } = await connectSpdy(url, [portForwardProtocol], ctx.signal);
      const cut = (): void => connection.destroy();
      ctx.signal.addEventListener('abort', cut, { once: true });
      try {
        await forward(connection, port, client);
      } finally {
        ctx.signal.removeEventListener('abort', cut);
        await connection.close();
      }
    },
  };
}
