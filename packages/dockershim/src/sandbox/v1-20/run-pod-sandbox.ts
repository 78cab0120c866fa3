/**
 * Implements RunPodSandbox of v1.20. If a step fails, the objects of earlier steps remain until the caller's garbage
 * collection. Upstream: dockershim docker_sandbox.go (v1.20).
 */
import { CriError, type PodSandboxConfig, type RunPodSandboxRequest, type RunPodSandboxResponse } from '@podscope/cri';
import { checkpointOf } from '@podscope/cri/sandbox-checkpoint';
import { runPodSandboxPoints as steps } from '@podscope/flow';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { aggregateErrors, wrapError } from '../../docker/error.ts';
import { sandboxOomScore } from '../../engine/oom-scores.ts';
import { pullReference } from '../../image/pull-image.ts';
import { ImageNotFoundError } from '../../image/v1-20/image-lookups.ts';
import { makeSandboxName } from '../../objects/names.ts';
import { createWithRecovery } from '../../objects/v1-20/create-with-recovery.ts';
import { cgroupParent, sandboxRequest, withoutLinux } from '../../objects/v1-20/requests.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';
import { makeSandboxConfig } from '../sandbox-config.ts';

/** The grace period of a sandbox whose network failed, in seconds. */
const stopGraceSeconds = 10;

/** For how long after a failed pull no further pull is attempted, in ms, if a fallback image exists. */
const retryAfterMs = 300_000;

/** Creates and starts a pod sandbox and returns its id. */
export async function runPodSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { config, runtimeHandler = '' }: RunPodSandboxRequest,
): Promise<RunPodSandboxResponse> {
  if (!config?.metadata)
    throw new CriError('InvalidArgument', 'sandbox config needs metadata with name, namespace and uid');
  const image = await ctx.tracer.span(
    ctx,
    steps.ensureSandboxImage,
    { image: dependencies.options.sandboxImage },
    (inner) => ensureSandboxImage(inner, dependencies),
  );
  if (runtimeHandler !== '' && runtimeHandler !== 'docker')
    throw new CriError('Unknown', `RuntimeHandler ${goQuote(runtimeHandler)} not supported`);
  const id = await createAndRecord(ctx, dependencies, config, image);
  try {
    await ctx.tracer.span(ctx, steps.createSandboxCheckpoint, { podSandboxId: id }, () =>
      dependencies.checkpoints.create(id, checkpointOf(config)),
    );
    await ctx.tracer.span(ctx, steps.startSandboxContainer, { podSandboxId: id }, (inner) =>
      startSandbox(inner, dependencies, id, config),
    );
    await setUpNetwork(ctx, dependencies, id, config);
  } finally {
    await dependencies.startingSandboxes.end(id);
  }
  return { podSandboxId: id };
}

/** Creates the container of the sandbox and records that the sandbox is starting. */
async function createAndRecord(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  config: PodSandboxConfig,
  image: string,
): Promise<string> {
  const name = makeSandboxName(config.metadata);
  const creationEnded = dependencies.startingSandboxes.expect(name);
  try {
    const id = await ctx.tracer.span(ctx, steps.createSandboxContainer, { name, image }, async (inner) => {
      const created = await createSandbox(inner, dependencies, config, image);
      inner.span.set({ podSandboxId: created });
      return created;
    });
    dependencies.objects.remember(id, 'podsandbox');
    dependencies.networkReady.set(id, false);
    await dependencies.startingSandboxes.begin(id);
    return id;
  } finally {
    creationEnded();
  }
}

/** Returns the sandbox image, or the fallback if the pull fails. Upstream: ensureSandboxImageExists (v1.20). */
async function ensureSandboxImage(ctx: Context, dependencies: DockershimDependenciesV120): Promise<string> {
  const { sandboxImage: image, sandboxImageFallback: fallback } = dependencies.options;
  try {
    await dependencies.images.byRef(ctx, image);
    return image;
  } catch (error) {
    if (!(error instanceof ImageNotFoundError))
      throw wrapError(`failed to inspect sandbox image ${goQuote(image)}`, error);
  }
  const { sandboxPull } = dependencies;
  const failedLately = sandboxPull.failedAt !== undefined && ctx.clock.now() - sandboxPull.failedAt < retryAfterMs;
  if (failedLately && fallback && (await isPresent(ctx, dependencies, fallback.image))) return fallback.image;
  try {
    await pullReference(ctx, dependencies, { image });
    return image;
  } catch (error) {
    sandboxPull.failedAt = ctx.clock.now();
    if (fallback && (await isPresent(ctx, dependencies, fallback.image))) {
      dependencies.deviations.record(ctx, `Sandboxes use the image ${fallback.image}: ${image} is not on this engine.`);
      return fallback.image;
    }
    throw wrapError(`failed pulling image ${goQuote(image)}`, error);
  }
}

const isPresent = (ctx: Context, dependencies: DockershimDependenciesV120, image: string): Promise<boolean> =>
  dependencies.images.byRef(ctx, image).then(
    () => true,
    () => false,
  );

async function createSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  config: PodSandboxConfig,
  image: string,
): Promise<string> {
  const pod = goQuote(config.metadata.name);
  const oomScoreAdj = await dependencies.oomScores.fit(ctx, sandboxOomScore, image);
  let body: ReturnType<typeof makeSandboxConfig>;
  try {
    body = makeSandboxConfig(dependencies, sandboxRequest(config), { image, runtimeHandler: '', oomScoreAdj });
  } catch (error) {
    throw wrapError(`failed to make sandbox docker config for pod ${pod}`, error);
  }
  const host = config.linux ? body.HostConfig : { ...withoutLinux(body.HostConfig), IpcMode: body.HostConfig.IpcMode };
  body = { ...body, HostConfig: { ...host, ...cgroupParent(dependencies.engine, config.linux?.cgroupParent) } };
  return createWithRecovery(ctx, dependencies, makeSandboxName(config.metadata), body).catch((error: unknown) => {
    throw wrapError(`failed to create a sandbox for pod ${pod}`, error);
  });
}

async function startSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  id: string,
  config: PodSandboxConfig,
): Promise<void> {
  const pod = goQuote(config.metadata.name);
  await dependencies.docker.startContainer(ctx, { id }).catch((error: unknown) => {
    throw wrapError(`failed to start sandbox container for pod ${pod}`, error);
  });
  const { dnsConfig } = config;
  const { hasLocalFiles } = dependencies.engine;
  ctx.tracer.decide(
    ctx,
    'startSandbox.resolvConf',
    { podSandboxId: id, dnsConfig, hasLocalFiles },
    dnsConfig === undefined
      ? 'no: the pod has no DNS configuration of its own'
      : hasLocalFiles
        ? "yes: write the pod's DNS configuration into it"
        : 'no: this process may not write the file, so the engine was given the DNS configuration',
    dnsConfig !== undefined && hasLocalFiles,
  );
  if (dnsConfig && hasLocalFiles) {
    // If this step fails, v1.20 counts the network as set up, although no plugin has run.
    try {
      const { ResolvConfPath } = await dependencies.docker.inspectContainer(ctx, { id }).catch((error: unknown) => {
        throw wrapError(`failed to inspect sandbox container for pod ${pod}`, error);
      });
      await dependencies.files.rewriteResolvConf(ResolvConfPath, dnsConfig).catch((error: unknown) => {
        throw wrapError(`rewrite resolv.conf failed for pod ${pod}`, error);
      });
    } catch (error) {
      dependencies.networkReady.set(id, true);
      throw error;
    }
  }
}

/**
 * Runs the network plugin, and sets the network-ready flag when the step ends. Until then the flag is false, as the
 * sandbox's creation has left it.
 */
function setUpNetwork(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  id: string,
  config: PodSandboxConfig,
): Promise<void> {
  const isHostNetwork = config.linux?.securityContext?.namespaceOptions?.network === 'NODE';
  const facts = { podSandboxId: id, plugin: dependencies.network.name, hostNetwork: isHostNetwork };
  return ctx.tracer.span(ctx, steps.setUpSandboxNetwork, facts, async (inner) => {
    const setNetworkReady = (ready: boolean, reason: string): void => {
      dependencies.networkReady.set(id, ready);
      inner.tracer.decide(inner, 'runPodSandbox.networkReady', facts, `${ready ? 'yes' : 'no'}: ${reason}`);
    };
    if (isHostNetwork) {
      setNetworkReady(true, 'it is that of the node');
      return;
    }
    const { name, namespace } = config.metadata;
    const pod = goQuote(name);
    const options: Record<string, string> = config.dnsConfig ? { dns: goDNS(config.dnsConfig) } : {};
    try {
      await dependencies.network.setUpPod(inner, { namespace, name, sandboxId: id }, config.annotations ?? {}, options);
      setNetworkReady(true, 'the plugin has set it up');
    } catch (error) {
      const failures = [wrapError(`failed to set up sandbox container ${goQuote(id)} network for pod ${pod}`, error)];
      await dependencies.network.tearDownPod(inner, { namespace, name, sandboxId: id }).catch((cause: unknown) => {
        failures.push(wrapError(`failed to clean up sandbox container ${goQuote(id)} network for pod ${pod}`, cause));
      });
      try {
        await dependencies.docker.stopContainer(inner, { id, timeout: stopGraceSeconds });
        setNetworkReady(true, 'the plugin failed, but the release looks only at the stop of the sandbox');
      } catch (cause) {
        setNetworkReady(false, 'the plugin failed and the sandbox could not be stopped');
        failures.push(wrapError(`failed to stop sandbox container ${goQuote(id)} for pod ${pod}`, cause));
      }
      throw aggregateErrors(failures) ?? error;
    }
  });
}

/** Formats the DNS config as Go does, without empty members. */
const goDNS = ({ servers = [], searches = [], options = [] }: NonNullable<PodSandboxConfig['dnsConfig']>): string =>
  JSON.stringify({
    ...(servers.length > 0 ? { servers } : {}),
    ...(searches.length > 0 ? { searches } : {}),
    ...(options.length > 0 ? { options } : {}),
  });
