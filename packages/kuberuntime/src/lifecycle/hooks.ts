/** Lifecycle handlers: exec, httpGet, sleep. Upstream: pkg/kubelet/lifecycle/handlers.go (v1.36 and v1.20). */
import { type Container, goQuote, type HTTPGetAction, type LifecycleHandler, type Pod } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';
import { type ContainerID, formatPod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { errorText } from '../util/errors.ts';

/** Makes the requests of hooks. Rejects on transport errors, never for a status. */
export interface HookHttpClient {
  get(request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal }): Promise<unknown>;
}

type HookKind = 'exec' | 'httpGet' | 'sleep';

/** The message of a failed hook; `what` is the command, path or number of seconds. */
export type HookFailure = (kind: HookKind, what: string, container: string, pod: string, error: string, output: string) => string;

/** Makes the request of a hook. */
export type HookHTTP = (ctx: Context, parts: RuntimeParts, pod: Pod, container: Container, action: HTTPGetAction) => Promise<void>;

/** A command that ran and failed, with what it printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/** A failed hook: the message for people, and as its cause what went wrong. */
export class HookError extends Error {
  override readonly name = 'HookError';
  override readonly cause: unknown;

  constructor(message: string, cause: unknown) {
    super(message);
    this.cause = cause;
  }
}

/** Runs a handler to its end. Upstream: handlerRunner.Run. @throws HookError */
export async function runHook(ctx: Context, parts: RuntimeParts, id: ContainerID, pod: Pod, container: Container, handler: LifecycleHandler): Promise<void> {
  const { hookFailure, hookHTTP } = parts.profile;
  const attempt = async (kind: HookKind, what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const output = error instanceof CommandError ? error.output : '';
      throw new HookError(hookFailure(kind, what, container.name, goQuote(formatPod(pod)), errorText(error), output), error);
    }
  };
  if (handler.exec) {
    const { command = [] } = handler.exec;
    return attempt('exec', `[${command.join(' ')}]`, () => runInContainer(ctx, parts, id, command));
  }
  if (handler.httpGet) {
    const action = handler.httpGet;
    return attempt('httpGet', action.path ?? '', () => hookHTTP(ctx, parts, pod, container, action));
  }
  if (handler.sleep) {
    const { seconds } = handler.sleep;
    return attempt('sleep', String(seconds), () => sleepFor(ctx, seconds));
  }
  const error = new Error(`invalid handler: ${JSON.stringify(handler)}`);
  throw new HookError(`Cannot run handler: ${error.message}`, error);
}

/** Upstream: RunInContainer; a non-zero exit is an error. */
async function runInContainer(ctx: Context, { runtime }: RuntimeParts, id: ContainerID, command: readonly string[]): Promise<void> {
  const { stdout, stderr, exitCode } = await runtime.execSync(ctx, { containerId: id.id, cmd: command, timeout: 0 });
  if (exitCode === 0) return;
  const decoder = new TextDecoder();
  const errors = decoder.decode(stderr);
  throw new CommandError(`command '${command.join(' ')}' exited with ${exitCode}: ${errors}`, decoder.decode(stdout) + errors);
}

async function sleepFor(ctx: Context, seconds: number): Promise<void> {
  try {
    await sleep(ctx.clock, seconds * 1000, ctx.signal);
  } catch (cause) {
    throw new Error('container terminated before sleep hook finished', { cause });
  }
}

/** Upstream: handlerRunner.Run (v1.36). */
export const hookFailureV136: HookFailure = (kind, what, container, pod, error, output) => {
  const of = `for Container ${goQuote(container)} in Pod ${pod} failed - error: ${error}`;
  if (kind === 'exec') return `Exec lifecycle hook (${what}) ${of}, message: ${goQuote(output)}`;
  return `${kind === 'httpGet' ? 'HTTP' : 'Sleep'} lifecycle hook (${what}) ${of}`;
};

/** Upstream: handlerRunner.Run (v1.20). */
export const hookFailureV120: HookFailure = (kind, what, container, pod, error, output) =>
  `${kind === 'exec' ? 'Exec' : 'Http'} lifecycle hook (${what}) for Container ${goQuote(container)} in Pod ${pod} failed - error: ${error}, message: ${goQuote(output)}`;
