/** Implements RunPodSandbox with the same steps as dockershim. Upstream: dockershim docker_sandbox.go (v1.20). */
import { CriError, type PodSandboxConfig, type RunPodSandboxRequest, type RunPodSandboxResponse } from '@podscope/cri';
import { checkpointOf } from '@podscope/cri/sandbox-checkpoint';
import { runPodSandboxPoints as steps } from '@podscope/flow';
import { goQuote } from '@podscope/k8s/go-quote';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { aggregateErrors, wrapError } from '../docker/error.ts';
import { sandboxOomScore } from '../engine/oom-scores.ts';
import { createWithRecovery } from '../objects/create-with-recovery.ts';
import { makeSandboxName } from '../objects/names.ts';
import { removeContainerForGood } from '../objects/remove-container-for-good.ts';
import { rewriteResolvConf } from './resolv-conf.ts';
import { makeSandboxConfig } from './sandbox-config.ts';
import type { SandboxImages } from './sandbox-image.ts';

/**
 * Creates and starts a pod sandbox and returns its id. If a step fails, the objects of earlier steps are removed,
 * because the caller doesn't receive the id.
 */
export async function runPodSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  images: SandboxImages,
  request: RunPodSandboxRequest,
): Promise<RunPodSandboxResponse> {
  const { config, runtimeHandler = '' } = request;
  if (!config?.metadata?.name || !config.metadata.uid)
    throw new CriError('InvalidArgument', 'sandbox config needs metadata with name, namespace and uid');
  const pod = goQuote(config.metadata.name);

  const image = await ctx.tracer.span(
    ctx,
    steps.ensureSandboxImage,
    { image: dependencies.options.sandboxImage },
    async (inner) => {
      const found = await images.ensure(inner, dependencies);
      inner.span.set({ image: found });
      return found;
    },
  );
  const id = await ctx.tracer.span(
    ctx,
    steps.createSandboxContainer,
    { name: makeSandboxName(config.metadata), image },
    async (inner) => {
      const created = await createSandboxContainer(inner, dependencies, config, image, runtimeHandler);
      inner.span.set({ podSandboxId: created });
      return created;
    },
  );
  try {
    await ctx.tracer.span(ctx, steps.createSandboxCheckpoint, { podSandboxId: id }, (inner) => {
      inner.signal.throwIfAborted();
      return dependencies.checkpoints.create(id, checkpointOf(config));
    });
    await ctx.tracer.span(ctx, steps.startSandboxContainer, { podSandboxId: id }, (inner) =>
      startSandbox(inner, dependencies, id, config),
    );
    await setUpNetwork(ctx, dependencies, id, config);
  } catch (error) {
    const failure = await abandonSandbox(withoutCancel(ctx), dependencies, id, error, pod);
    dependencies.startingSandboxes.endCall(id);
    throw failure;
  }
  await dependencies.startingSandboxes.end(id);
  return { podSandboxId: id };
}

async function createSandboxContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  config: PodSandboxConfig,
  image: string,
  runtimeHandler: string,
): Promise<string> {
  const pod = goQuote(config.metadata.name);
  const handler = await checkRuntimeHandler(ctx, dependencies, runtimeHandler);
  const oomScoreAdj = await dependencies.oomScores.fit(ctx, sandboxOomScore, image);
  let body: ReturnType<typeof makeSandboxConfig>;
  try {
    body = makeSandboxConfig(dependencies, config, { image, runtimeHandler: handler, oomScoreAdj });
  } catch (error) {
    throw wrapError(`failed to make sandbox docker config for pod ${pod}`, error);
  }
  const name = makeSandboxName(config.metadata);
  const creationEnded = dependencies.startingSandboxes.expect(name);
  try {
    const id = await createWithRecovery(ctx, dependencies, name, body);
    dependencies.objects.remember(id, 'podsandbox');
    dependencies.networkStates.set(id, 'none');
    await dependencies.startingSandboxes.begin(id);
    return id;
  } catch (error) {
    throw wrapError(`failed to create a sandbox for pod ${pod}`, error);
  } finally {
    creationEnded();
  }
}

/**
 * Returns the engine's runtime for a runtime handler. Returns an empty text for the default handler, which was named
 * `docker` in older releases.
 * @throws CriError InvalidArgument for an unknown handler
 */
async function checkRuntimeHandler(
  ctx: Context,
  dependencies: DockershimDependencies,
  handler: string,
): Promise<string> {
  if (!handler || handler === 'docker') return '';
  const { Runtimes } = await dependencies.docker.info(ctx, {});
  if (Object.hasOwn(Runtimes, handler)) return handler;
  throw new CriError(
    'InvalidArgument',
    `failed to get sandbox runtime: no runtime for ${goQuote(handler)} is configured`,
  );
}

async function startSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  config: PodSandboxConfig,
): Promise<void> {
  const pod = goQuote(config.metadata.name);
  ctx.signal.throwIfAborted();
  try {
    await dependencies.docker.startContainer(ctx, { id });
  } catch (error) {
    throw wrapError(`failed to start sandbox container for pod ${pod}`, error);
  }
  const { dnsConfig } = config;
  const isRewritten = dnsConfig !== undefined && dependencies.engine.hasLocalFiles;
  ctx.tracer.decide(
    ctx,
    'startSandbox.resolvConf',
    { podSandboxId: id, dnsConfig, hasLocalFiles: dependencies.engine.hasLocalFiles },
    isRewritten
      ? "yes: write the pod's DNS configuration into it"
      : dnsConfig
        ? 'no: this process may not write the file, so the engine was given the DNS configuration'
        : 'no: the pod has no DNS configuration of its own',
    isRewritten,
  );
  if (!isRewritten) return;
  const { ResolvConfPath } = await dependencies.docker.inspectContainer(ctx, { id }).catch((error: unknown) => {
    throw wrapError(`failed to inspect sandbox container for pod ${pod}`, error);
  });
  await rewriteResolvConf(ResolvConfPath, dnsConfig).catch((error: unknown) => {
    throw wrapError(`rewrite resolv.conf failed for pod ${pod}`, error);
  });
}

function setUpNetwork(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  config: PodSandboxConfig,
): Promise<void> {
  const isHostNetwork = config.linux?.securityContext?.namespaceOptions?.network === 'NODE';
  const facts = { podSandboxId: id, plugin: dependencies.network.name, hostNetwork: isHostNetwork };
  return ctx.tracer.span(ctx, steps.setUpSandboxNetwork, facts, async (inner) => {
    const decide = (outcome: string): void => inner.tracer.decide(inner, 'runPodSandbox.networkReady', facts, outcome);
    if (isHostNetwork) {
      decide('yes: it is that of the node');
      return;
    }
    inner.signal.throwIfAborted();
    const { name, namespace } = config.metadata;
    const options = config.dnsConfig ? { dns: JSON.stringify(config.dnsConfig) } : undefined;
    // If a step fails from here on, the network has to be torn down.
    dependencies.networkStates.set(id, 'setUp');
    try {
      await dependencies.network.setUpPod(
        inner,
        { namespace, name, sandboxId: id },
        config.annotations ?? {},
        options ?? {},
      );
      decide('yes: the plugin has set it up');
    } catch (error) {
      decide('no: the plugin failed');
      const failures = [
        wrapError(`failed to set up sandbox container ${goQuote(id)} network for pod ${goQuote(name)}`, error),
      ];
      await dependencies.network.tearDownPod(withoutCancel(inner), { namespace, name, sandboxId: id }).then(
        () => dependencies.networkStates.set(id, 'tornDown'),
        (cause: unknown) =>
          failures.push(
            wrapError(`failed to clean up sandbox container ${goQuote(id)} network for pod ${goQuote(name)}`, cause),
          ),
      );
      throw aggregateErrors(failures) ?? error;
    }
  });
}

/**
 * Removes a sandbox that failed to start.
 * @returns the error to report
 */
async function abandonSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  error: unknown,
  pod: string,
): Promise<unknown> {
  try {
    await removeContainerForGood(ctx, dependencies, id);
    // The teardown of the network failed. The checkpoint is kept, so the sandbox is still listed and StopPodSandbox or
    // RemovePodSandbox repeats the teardown.
    if (dependencies.networkStates.get(id) === 'setUp') return error;
    await dependencies.checkpoints.remove(id);
    await dependencies.startingSandboxes.end(id);
    dependencies.networkStates.delete(id);
    return error;
  } catch (failure) {
    return aggregateErrors([
      error,
      wrapError(`failed to remove sandbox container ${goQuote(id)} for pod ${pod}`, failure),
    ]);
  }
}
