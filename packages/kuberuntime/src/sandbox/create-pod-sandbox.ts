/** Creates a pod's sandbox. Upstream: kuberuntime_sandbox.go createPodSandbox (v1.36 and v1.20). */
import { errorText } from '@podscope/base';
import { goQuote, type Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { formatPod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { generatePodSandboxConfig } from './sandbox-config.ts';

const logDirectoryMode = 0o755;

/** The error of a failed creation. Its message is the message of the sync result. Its cause is the original error. */
export class CreateSandboxError extends Error {
  override readonly name = 'CreateSandboxError';
  override readonly cause: unknown;

  constructor(prefix: string, cause: unknown) {
    super(`${prefix}: ${errorText(cause)}`);
    this.cause = cause;
  }
}

async function attemptTo<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new CreateSandboxError(prefix, cause);
  }
}

/**
 * Returns the handler of the pod's runtime class, or an empty string for the default handler. Upstream:
 * runtimeclass.Manager.LookupRuntimeHandler.
 */
async function lookupRuntimeHandler(ctx: Context, dependencies: RuntimeDependencies, { spec }: Pod): Promise<string> {
  const name = spec.runtimeClassName;
  const decide = (outcome: string): void =>
    ctx.tracer.decide(ctx, 'createPodSandbox.runtimeHandler', { runtimeClassName: name }, outcome, Boolean(name));
  if (!name) {
    decide('the default handler');
    return '';
  }
  let handler: string | undefined;
  try {
    handler = await dependencies.lookupRuntimeHandler(name);
  } catch (cause) {
    decide('none: the lookup failed');
    throw new Error(`failed to lookup RuntimeClass ${name}: ${errorText(cause)}`, { cause });
  }
  if (handler === undefined) {
    decide('none: the class does not exist');
    throw new Error(`runtimeclass.node.k8s.io ${goQuote(name)} not found`);
  }
  decide(handler || 'the default handler');
  return handler;
}

/**
 * Creates a sandbox and returns its id.
 * @throws CreateSandboxError when the sandbox can't be created
 */
export async function createPodSandbox(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  attempt: number,
): Promise<string> {
  const { texts } = dependencies.profile;
  const name = goQuote(formatPod(pod));
  const config = await attemptTo(texts.sandboxConfigFailed(name), () =>
    generatePodSandboxConfig(ctx, dependencies, pod, attempt),
  );
  const { logDirectory = '' } = config;
  await attemptTo(texts.sandboxLogDirectoryFailed(name), () =>
    dependencies.os.mkdirAll(logDirectory, logDirectoryMode),
  );
  ctx.tracer.decide(ctx, 'createPodSandbox.logDirectory', { mode: '0755' }, logDirectory, false);
  return attemptTo(texts.sandboxFailed(name), async () => {
    const runtimeHandler = await lookupRuntimeHandler(ctx, dependencies, pod);
    const { podSandboxId } = await dependencies.runtime.runPodSandbox(ctx, { config, runtimeHandler });
    return podSandboxId;
  });
}
