/**
 * Implements exec, attach and port-forward on Docker. Upstream: streamingRuntime (dockershim docker_streaming.go,
 * v1.20).
 */
import { type ContainerStreams, CriError, type ExecCommand, type ProcessStreams } from '@podscope/cri';
import { type Context, withoutCancel } from '@podscope/trace';
import { waitForExit } from '../container/exec/exec-sync.ts';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';
import { connectProcess } from './connect-process.ts';
import { inspectRunning } from './inspect-running.ts';
import { portForward } from './port-forward.ts';

/** Returns the streams of dockershim's containers. */
export const dockerStreams = (dependencies: DockershimDependencies): ContainerStreams => ({
  exec: (ctx, command, streams) => exec(ctx, dependencies, command, streams),
  attach: (ctx, containerId, streams) => attach(ctx, dependencies, containerId, streams),
  portForward: (ctx, podSandboxId, port, connection) => portForward(ctx, dependencies, podSandboxId, port, connection),
});

async function exec(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId, cmd }: ExecCommand,
  streams: ProcessStreams,
): Promise<number> {
  if (cmd.length === 0) throw new CriError('InvalidArgument', 'exec needs a command');
  const { Id: id } = await inspectRunning(ctx, dependencies, containerId, 'container');
  const { tty, stdin, stdout, stderr } = streams;
  const body = {
    Cmd: cmd,
    AttachStdin: Boolean(stdin),
    AttachStdout: Boolean(stdout),
    AttachStderr: Boolean(stderr),
    Tty: tty,
  };
  const { Id: execId } = await dependencies.docker.createExec(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError('failed to exec in container - Exec setup failed', error);
  });
  const process = await dependencies.docker.startExecAttached(ctx, { id: execId, tty });
  await connectProcess(ctx, process, streams, ({ width, height }) =>
    dependencies.docker.resizeExec(ctx, { id: execId, width, height }),
  );
  // When the client disconnects, the process continues, as with every runtime. dockershim then doesn't wait for its
  // exit code.
  if (ctx.signal.aborted) return 0;
  return (await waitForExit(withoutCancel(ctx), dependencies, execId)).ExitCode ?? 0;
}

/**
 * Connects to the main process of a container. The format of the output depends on whether the container has a
 * terminal; the request's `tty` doesn't matter.
 */
async function attach(
  ctx: Context,
  dependencies: DockershimDependencies,
  containerId: string,
  streams: ProcessStreams,
): Promise<void> {
  const { Id: id, Config } = await inspectRunning(ctx, dependencies, containerId, 'container');
  const { stdin, stdout, stderr } = streams;
  const process = await dependencies.docker.attach(ctx, {
    id,
    tty: Config.Tty,
    stdin: Boolean(stdin),
    stdout: Boolean(stdout),
    stderr: Boolean(stderr),
  });
  await connectProcess(ctx, process, streams, ({ width, height }) =>
    dependencies.docker.resizeContainer(ctx, { id, width, height }),
  );
}
