/** ExecSync: runs a command in a container and waits for it. A command that takes too long is killed. */
import { CriError, type ExecSyncRequest, type ExecSyncResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { type Context, DeadlineExceededError, sleep, withoutCancel, withTimeout } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { ExecInspect } from '../docker/schemas.ts';
import type { Shim } from '../shim.ts';
import { inspectRunning } from '../streams/inspect-running.ts';
import { killExec } from './kill-exec.ts';

/** Each stream is cut there. */
const maxOutputBytes = 16 * 1024 * 1024;
const firstPollMs = 10;
const maxPollMs = 500;
/** The output has ended by then: the engine only has to note the exit code. */
const pollPatienceMs = 10_000;

/**
 * Upstream: ExecSync (dockershim exec.go, v1.20). Unlike there the process does not outlive its timeout.
 * @throws CriError DeadlineExceeded when `timeout` seconds pass (0: no limit).
 */
export async function execSync(shim: Shim, ctx: Context, { containerId, cmd, timeout }: ExecSyncRequest): Promise<ExecSyncResponse> {
  if (cmd.length === 0) throw new CriError('InvalidArgument', 'exec needs a command');
  const { Id: id } = await inspectRunning(shim, ctx, containerId, 'container');
  const body = { Cmd: cmd, AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false };
  const { Id: execId } = await shim.docker.createExec(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError('failed to exec in container - Exec setup failed', error);
  });
  const run = (inner: Context): ReturnType<typeof shim.docker.startExec> => shim.docker.startExec(inner, { id: execId, maxBytes: maxOutputBytes });
  try {
    const output = timeout > 0 ? await withTimeout(ctx, timeout * 1000, run) : await run(ctx);
    const { ExitCode } = await waitForExit(shim, ctx, execId);
    return { ...output, exitCode: ExitCode ?? 0 };
  } catch (error) {
    const isTimeout = error instanceof DeadlineExceededError && !ctx.signal.aborted;
    if (!isTimeout && !ctx.signal.aborted) throw error;
    await killExec(shim, withoutCancel(ctx), id, execId);
    if (!isTimeout) throw error;
    throw new CriError('DeadlineExceeded', `command ${goQuote(cmd.join(' '))} timed out: context deadline exceeded`, { cause: error });
  }
}

/** Waits until the engine has noted an exec's exit code; its output has ended. */
export async function waitForExit(shim: Shim, ctx: Context, execId: string): Promise<ExecInspect> {
  const end = ctx.clock.now() + pollPatienceMs;
  for (let pause = firstPollMs; ; pause = Math.min(pause * 2, maxPollMs)) {
    const exec = await shim.docker.inspectExec(ctx, { id: execId });
    if (!exec.Running) return exec;
    if (ctx.clock.now() >= end) throw new CriError('Unknown', `exec ${execId} ended its output but is still running after ${pollPatienceMs / 1000} s`);
    await sleep(ctx.clock, pause, ctx.signal);
  }
}
