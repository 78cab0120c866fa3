var e=`/** Makes a pod's sandbox. Upstream: kuberuntime_sandbox.go createPodSandbox (v1.36 and v1.20). */
import { goQuote, type Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { formatPod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { errorText } from '../util/errors.ts';
import { generatePodSandboxConfig } from './sandbox-config.ts';

const logDirectoryMode = 0o755;

/** A failure on the way, with the message of the result; its cause is what went wrong. */
export class CreateSandboxError extends Error {
  override readonly name = 'CreateSandboxError';
  override readonly cause: unknown;

  constructor(prefix: string, cause: unknown) {
    super(\`\${prefix}: \${errorText(cause)}\`);
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

/** The handler of the pod's runtime class; empty for the default one. Upstream: runtimeclass.Manager.LookupRuntimeHandler. */
async function lookupRuntimeHandler(parts: RuntimeParts, { spec }: Pod): Promise<string> {
  const name = spec.runtimeClassName;
  if (!name) return '';
  let handler: string | undefined;
  try {
    handler = await parts.lookupRuntimeHandler(name);
  } catch (cause) {
    throw new Error(\`failed to lookup RuntimeClass \${name}: \${errorText(cause)}\`, { cause });
  }
  if (handler === undefined) throw new Error(\`runtimeclass.node.k8s.io \${goQuote(name)} not found\`);
  return handler;
}

/**
 * The id of the new sandbox.
 * @throws CreateSandboxError
 */
export async function createPodSandbox(ctx: Context, parts: RuntimeParts, pod: Pod, attempt: number): Promise<string> {
  const { texts } = parts.profile;
  const name = goQuote(formatPod(pod));
  const config = await attemptTo(texts.sandboxConfigFailed(name), () => generatePodSandboxConfig(ctx, parts, pod, attempt));
  await attemptTo(texts.sandboxLogDirectoryFailed(name), () => parts.os.mkdirAll(config.logDirectory ?? '', logDirectoryMode));
  return attemptTo(texts.sandboxFailed(name), async () => {
    const runtimeHandler = await lookupRuntimeHandler(parts, pod);
    const { podSandboxId } = await parts.runtime.runPodSandbox(ctx, { config, runtimeHandler });
    return podSandboxId;
  });
}
`;export{e as default};
//# sourceMappingURL=create-pod-sandbox-CJglUNsk.js.map