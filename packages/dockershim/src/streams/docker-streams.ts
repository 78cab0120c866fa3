/** Exec, attach and port-forward over Docker. */
import { type ContainerStreams, CriError, type ExecCommand, type ProcessStreams } from '@podscope/cri';
import { type Context, withoutCancel } from '@podscope/trace';
import { waitForExit } from '../container/exec-sync.ts';
import { wrapError } from '../docker/error.ts';
import type { Shim } from '../shim.ts';
import { connectProcess } from './connect-process.ts';
import { inspectRunning } from './inspect-running.ts';
import { portForward } from './port-forward.ts';

/** Upstream: streamingRuntime (dockershim docker_streaming.go, v1.20). */
export const dockerStreams = (shim: Shim): ContainerStreams => ({
  exec: (ctx, command, streams) => exec(shim, ctx, command, streams),
  attach: (ctx, containerId, streams) => attach(shim, ctx, containerId, streams),
  portForward: (ctx, podSandboxId, port, connection) => portForward(shim, ctx, podSandboxId, port, connection),
});

async function exec(shim: Shim, ctx: Context, { containerId, cmd }: ExecCommand, streams: ProcessStreams): Promise<number> {
  if (cmd.length === 0) throw new CriError('InvalidArgument', 'exec needs a command');
  const { Id: id } = await inspectRunning(shim, ctx, containerId, 'container');
  const { tty, stdin, stdout, stderr } = streams;
  const body = { Cmd: cmd, AttachStdin: Boolean(stdin), AttachStdout: Boolean(stdout), AttachStderr: Boolean(stderr), Tty: tty };
  const { Id: execId } = await shim.docker.createExec(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError('failed to exec in container - Exec setup failed', error);
  });
  const process = await shim.docker.startExecAttached(ctx, { id: execId, tty });
  await connectProcess(ctx, process, streams, ({ width, height }) => shim.docker.resizeExec(ctx, { id: execId, width, height }));
  // A client that has gone is not told; the process goes on, as with every runtime.
  if (ctx.signal.aborted) return 0;
  return (await waitForExit(shim, withoutCancel(ctx), execId)).ExitCode ?? 0;
}

/** The container's terminal counts, whatever the request says: it decides how the output is framed. */
async function attach(shim: Shim, ctx: Context, containerId: string, streams: ProcessStreams): Promise<void> {
  const { Id: id, Config } = await inspectRunning(shim, ctx, containerId, 'container');
  const { stdin, stdout, stderr } = streams;
  const process = await shim.docker.attach(ctx, { id, tty: Config.Tty, stdin: Boolean(stdin), stdout: Boolean(stdout), stderr: Boolean(stderr) });
  await connectProcess(ctx, process, streams, ({ width, height }) => shim.docker.resizeContainer(ctx, { id, width, height }));
}
