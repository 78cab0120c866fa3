/** Implements ExecSync. Upstream: ExecInContainer (dockershim exec.go, v1.20). */
import { CriError, type ExecSyncRequest, type ExecSyncResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import { type Context, DeadlineExceededError, sleep, withoutCancel, withTimeout } from '@podscope/trace';
import type { DockershimDependencies } from '../../dependencies.ts';
import { wrapError } from '../../docker/error.ts';
import type { ExecInspect } from '../../docker/schemas.ts';
import { inspectRunning } from '../../streams/inspect-running.ts';
import { killExec } from './kill-exec.ts';

/** The maximum number of bytes of stdout, and of stderr. */
const maxOutputBytes = 16 * 1024 * 1024;
const firstPollMs = 10;
const maxPollMs = 500;
/**
 * How long to wait for the exit code, in ms. The wait starts after the output has ended, when the engine only has to
 * record the code.
 */
const pollTimeoutMs = 10_000;

/**
 * Runs a command and returns its output and exit code. The process is killed at the timeout, which upstream doesn't do.
 * @throws CriError DeadlineExceeded after `timeout` seconds (0: no limit)
 */
export async function execSync(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId, cmd, timeout }: ExecSyncRequest,
): Promise<ExecSyncResponse> {
  if (cmd.length === 0) throw new CriError('InvalidArgument', 'exec needs a command');
  const { Id: id } = await inspectRunning(ctx, dependencies, containerId, 'container');
  const body = { Cmd: cmd, AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false };
  const { Id: execId } = await dependencies.docker.createExec(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError('failed to exec in container - Exec setup failed', error);
  });
  const run = (inner: Context): ReturnType<typeof dependencies.docker.startExec> =>
    dependencies.docker.startExec(inner, { id: execId, maxBytes: maxOutputBytes });
  try {
    const output = timeout > 0 ? await withTimeout(ctx, timeout * 1000, run) : await run(ctx);
    const { ExitCode } = await waitForExit(ctx, dependencies, execId);
    return { ...output, exitCode: ExitCode ?? 0 };
  } catch (error) {
    const isTimeout = error instanceof DeadlineExceededError && !ctx.signal.aborted;
    if (!isTimeout && !ctx.signal.aborted) throw error;
    await killExec(withoutCancel(ctx), dependencies, id, execId);
    if (!isTimeout) throw error;
    throw new CriError('DeadlineExceeded', `command ${goQuote(cmd.join(' '))} timed out: context deadline exceeded`, {
      cause: error,
    });
  }
}

/** Waits until the engine has recorded the exit code of an exec whose output has ended. */
export async function waitForExit(
  ctx: Context,
  dependencies: DockershimDependencies,
  execId: string,
): Promise<ExecInspect> {
  const end = ctx.clock.now() + pollTimeoutMs;
  for (let pause = firstPollMs; ; pause = Math.min(pause * 2, maxPollMs)) {
    const exec = await dependencies.docker.inspectExec(ctx, { id: execId });
    if (!exec.Running) return exec;
    if (ctx.clock.now() >= end)
      throw new CriError(
        'Unknown',
        `exec ${execId} ended its output but is still running after ${pollTimeoutMs / 1000} s`,
      );
    await sleep(ctx.clock, pause, ctx.signal);
  }
}
