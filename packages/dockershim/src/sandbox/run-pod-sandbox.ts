/** RunPodSandbox: image, create, checkpoint, start, network. */
import { CriError, type PodSandboxConfig, type RunPodSandboxRequest, type RunPodSandboxResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { type Context, withoutCancel } from '@podscope/trace';
import { checkpointOf } from '../checkpoint/checkpoint.ts';
import { createWithRecovery } from '../create-with-recovery.ts';
import { aggregateErrors, wrapError } from '../docker/error.ts';
import { sandboxOomScore } from '../engine/oom-scores.ts';
import { makeSandboxName } from '../names.ts';
import { runPodSandboxSteps as steps } from '../points.ts';
import { removeContainerForGood } from '../remove-container.ts';
import type { Shim } from '../shim.ts';
import { rewriteResolvConf } from './resolv-conf.ts';
import { makeSandboxConfig } from './sandbox-config.ts';
import type { SandboxImages } from './sandbox-image.ts';

/**
 * Creates and starts a pod sandbox. What was made is taken away again when a later step fails, since the caller never learns its id.
 * Upstream: RunPodSandbox (dockershim docker_sandbox.go, v1.20).
 */
export async function runPodSandbox(shim: Shim, images: SandboxImages, ctx: Context, request: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
  const { config, runtimeHandler = '' } = request;
  if (!config?.metadata?.name || !config.metadata.uid) throw new CriError('InvalidArgument', 'sandbox config needs metadata with name, namespace and uid');
  const pod = goQuote(config.metadata.name);

  const image = await ctx.tracer.span(ctx, steps.ensureSandboxImage, { image: shim.options.sandboxImage }, async (inner) => {
    const found = await images.ensure(shim, inner);
    inner.span.set({ image: found });
    return found;
  });
  const id = await ctx.tracer.span(ctx, steps.createSandboxContainer, { name: makeSandboxName(config.metadata), image }, async (inner) => {
    const created = await createSandboxContainer(shim, inner, config, image, runtimeHandler);
    inner.span.set({ podSandboxId: created });
    return created;
  });
  try {
    await ctx.tracer.span(ctx, steps.createSandboxCheckpoint, { podSandboxId: id }, (inner) => {
      inner.signal.throwIfAborted();
      return shim.checkpoints.create(id, checkpointOf(config));
    });
    await ctx.tracer.span(ctx, steps.startSandboxContainer, { podSandboxId: id }, (inner) => startSandbox(shim, inner, id, config));
    await setUpNetwork(shim, ctx, id, config);
  } catch (error) {
    throw await abandonSandbox(shim, withoutCancel(ctx), id, error, pod);
  }
  await shim.startingSandboxes.end(id);
  return { podSandboxId: id };
}

async function createSandboxContainer(shim: Shim, ctx: Context, config: PodSandboxConfig, image: string, runtimeHandler: string): Promise<string> {
  const pod = goQuote(config.metadata.name);
  const handler = await checkRuntimeHandler(shim, ctx, runtimeHandler);
  const oomScoreAdj = await shim.oomScores.fit(ctx, sandboxOomScore, image);
  let body: ReturnType<typeof makeSandboxConfig>;
  try {
    body = makeSandboxConfig(shim, config, { image, runtimeHandler: handler, oomScoreAdj });
  } catch (error) {
    throw wrapError(`failed to make sandbox docker config for pod ${pod}`, error);
  }
  try {
    const id = await createWithRecovery(shim, ctx, makeSandboxName(config.metadata), body);
    shim.objects.remember(id, 'podsandbox');
    shim.networkStates.set(id, 'none');
    await shim.startingSandboxes.begin(id);
    return id;
  } catch (error) {
    throw wrapError(`failed to create a sandbox for pod ${pod}`, error);
  }
}

/** Any runtime that the engine knows is a handler; `docker` is the old name of the default. */
async function checkRuntimeHandler(shim: Shim, ctx: Context, handler: string): Promise<string> {
  if (!handler || handler === 'docker') return '';
  const { Runtimes } = await shim.docker.info(ctx, {});
  if (Object.hasOwn(Runtimes, handler)) return handler;
  throw new CriError('InvalidArgument', `failed to get sandbox runtime: no runtime for ${goQuote(handler)} is configured`);
}

async function startSandbox(shim: Shim, ctx: Context, id: string, config: PodSandboxConfig): Promise<void> {
  const pod = goQuote(config.metadata.name);
  ctx.signal.throwIfAborted();
  try {
    await shim.docker.startContainer(ctx, { id });
  } catch (error) {
    throw wrapError(`failed to start sandbox container for pod ${pod}`, error);
  }
  if (!config.dnsConfig || !shim.engine.hasLocalFiles) return;
  const { ResolvConfPath } = await shim.docker.inspectContainer(ctx, { id }).catch((error: unknown) => {
    throw wrapError(`failed to inspect sandbox container for pod ${pod}`, error);
  });
  await rewriteResolvConf(ResolvConfPath, config.dnsConfig).catch((error: unknown) => {
    throw wrapError(`rewrite resolv.conf failed for pod ${pod}`, error);
  });
}

function setUpNetwork(shim: Shim, ctx: Context, id: string, config: PodSandboxConfig): Promise<void> {
  const isHostNetwork = config.linux?.securityContext?.namespaceOptions?.network === 'NODE';
  const facts = { podSandboxId: id, plugin: shim.network.name, hostNetwork: isHostNetwork };
  return ctx.tracer.span(ctx, steps.setUpSandboxNetwork, facts, async (inner) => {
    if (isHostNetwork) return;
    inner.signal.throwIfAborted();
    const { name, namespace } = config.metadata;
    const options = config.dnsConfig ? { dns: JSON.stringify(config.dnsConfig) } : undefined;
    // From here on there may be something to tear down.
    shim.networkStates.set(id, 'setUp');
    try {
      await shim.network.setUpPod(inner, { namespace, name, sandboxId: id }, config.annotations ?? {}, options ?? {});
    } catch (error) {
      const failures = [wrapError(`failed to set up sandbox container ${goQuote(id)} network for pod ${goQuote(name)}`, error)];
      await shim.network.tearDownPod(withoutCancel(inner), { namespace, name, sandboxId: id }).then(
        () => shim.networkStates.set(id, 'tornDown'),
        (cause: unknown) => failures.push(wrapError(`failed to clean up sandbox container ${goQuote(id)} network for pod ${goQuote(name)}`, cause)),
      );
      throw aggregateErrors(failures) ?? error;
    }
  });
}

/** Takes away a sandbox that did not come up. The result is the error to report. */
async function abandonSandbox(shim: Shim, ctx: Context, id: string, error: unknown, pod: string): Promise<unknown> {
  try {
    await removeContainerForGood(shim, ctx, id);
    // Not torn down: the checkpoint lists the sandbox on, and StopPodSandbox or RemovePodSandbox takes its network back.
    if (shim.networkStates.get(id) === 'setUp') return error;
    await shim.checkpoints.remove(id);
    await shim.startingSandboxes.end(id);
    shim.networkStates.delete(id);
    return error;
  } catch (failure) {
    return aggregateErrors([error, wrapError(`failed to remove sandbox container ${goQuote(id)} for pod ${pod}`, failure)]);
  }
}
