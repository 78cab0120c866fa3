/** Runs lifecycle handlers: exec, httpGet and sleep. Upstream: pkg/kubelet/lifecycle/handlers.go (v1.36 and v1.20). */
import { errorText } from '@podscope/base';
import { type Container, goQuote, type LifecycleHandler, type Pod } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';
import { type ContainerID, formatPod } from '../runtime.ts';
import type { HookFailure, HookKind, RuntimeDependencies } from '../runtime-dependencies.ts';

/** The error of a command that failed. It contains the command's output. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/** The error of a failed hook. Its message is for users; its cause is the original error. */
export class HookError extends Error {
  override readonly name = 'HookError';
  override readonly cause: unknown;

  constructor(message: string, cause: unknown) {
    super(message);
    this.cause = cause;
  }
}

/**
 * Runs a handler and waits until it finishes. Upstream: handlerRunner.Run.
 * @throws HookError when the handler fails
 */
export async function runHook(
  ctx: Context,
  dependencies: RuntimeDependencies,
  id: ContainerID,
  pod: Pod,
  container: Container,
  handler: LifecycleHandler,
): Promise<void> {
  const { hookFailure, hookHTTP } = dependencies.profile;
  const attempt = async (kind: HookKind, what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const output = error instanceof CommandError ? error.output : '';
      throw new HookError(
        hookFailure(kind, what, container.name, goQuote(formatPod(pod)), errorText(error), output),
        error,
      );
    }
  };
  if (handler.exec) {
    const { command = [] } = handler.exec;
    return attempt('exec', `[${command.join(' ')}]`, () => runInContainer(ctx, dependencies, id, command));
  }
  if (handler.httpGet) {
    const action = handler.httpGet;
    return attempt('httpGet', action.path ?? '', () => hookHTTP(ctx, dependencies, pod, container, action));
  }
  if (handler.sleep) {
    const { seconds } = handler.sleep;
    return attempt('sleep', String(seconds), () => sleepFor(ctx, seconds));
  }
  const error = new Error(`invalid handler: ${JSON.stringify(handler)}`);
  throw new HookError(`Cannot run handler: ${error.message}`, error);
}

/** Runs a command in the container. A non-zero exit code is an error. Upstream: RunInContainer. */
async function runInContainer(
  ctx: Context,
  { runtime }: RuntimeDependencies,
  id: ContainerID,
  command: readonly string[],
): Promise<void> {
  const { stdout, stderr, exitCode } = await runtime.execSync(ctx, { containerId: id.id, cmd: command, timeout: 0 });
  if (exitCode === 0) return;
  const decoder = new TextDecoder();
  const errors = decoder.decode(stderr);
  throw new CommandError(
    `command '${command.join(' ')}' exited with ${exitCode}: ${errors}`,
    decoder.decode(stdout) + errors,
  );
}

async function sleepFor(ctx: Context, seconds: number): Promise<void> {
  try {
    await sleep(ctx.clock, seconds * 1000, ctx.signal);
  } catch (cause) {
    throw new Error('container terminated before sleep hook finished', { cause });
  }
}

/** Returns the message of a failed hook. Upstream: handlerRunner.Run (v1.36). */
export const hookFailureV136: HookFailure = (kind, what, container, pod, error, output) => {
  const of = `for Container ${goQuote(container)} in Pod ${pod} failed - error: ${error}`;
  if (kind === 'exec') return `Exec lifecycle hook (${what}) ${of}, message: ${goQuote(output)}`;
  return `${kind === 'httpGet' ? 'HTTP' : 'Sleep'} lifecycle hook (${what}) ${of}`;
};
