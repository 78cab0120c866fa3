/** RunPodSandbox of v1.20: what was made stays when a later step fails, for the caller's garbage collection. */
import { CriError, type PodSandboxConfig, type RunPodSandboxRequest, type RunPodSandboxResponse } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { checkpointOf } from '../checkpoint/checkpoint.ts';
import { aggregateErrors, wrapError } from '../docker/error.ts';
import { sandboxOomScore } from '../engine/oom-scores.ts';
import { pullReference } from '../image/pull-image.ts';
import { makeSandboxName } from '../names.ts';
import { runPodSandboxSteps as steps } from '../points.ts';
import { makeSandboxConfig } from '../sandbox/sandbox-config.ts';
import { createWithRecovery } from './create-with-recovery.ts';
import { ImageNotFoundError } from './image-lookups.ts';
import { cgroupParent, sandboxRequest, withoutLinux } from './requests.ts';
import type { ShimV120 } from './shim.ts';

/** Seconds a sandbox gets whose network failed. */
const stopGraceSeconds = 10;

/** An image that could not be pulled is not asked for again for so long, where another stands in. */
const retryAfterMs = 300_000;

/** Upstream: RunPodSandbox (dockershim docker_sandbox.go, v1.20). */
export async function runPodSandbox(shim: ShimV120, ctx: Context, { config, runtimeHandler = '' }: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
  if (!config?.metadata) throw new CriError('InvalidArgument', 'sandbox config needs metadata with name, namespace and uid');
  const image = await ctx.tracer.span(ctx, steps.ensureSandboxImage, { image: shim.options.sandboxImage }, (inner) => ensureSandboxImage(shim, inner));
  if (runtimeHandler !== '' && runtimeHandler !== 'docker') throw new CriError('Unknown', `RuntimeHandler ${goQuote(runtimeHandler)} not supported`);
  const id = await ctx.tracer.span(ctx, steps.createSandboxContainer, { name: makeSandboxName(config.metadata), image }, async (inner) => {
    const created = await createSandbox(shim, inner, config, image);
    inner.span.set({ podSandboxId: created });
    return created;
  });
  shim.objects.remember(id, 'podsandbox');
  shim.networkReady.set(id, false);
  await shim.startingSandboxes.begin(id);
  try {
    await ctx.tracer.span(ctx, steps.createSandboxCheckpoint, { podSandboxId: id }, () => shim.checkpoints.create(id, checkpointOf(config)));
    await ctx.tracer.span(ctx, steps.startSandboxContainer, { podSandboxId: id }, (inner) => startSandbox(shim, inner, id, config));
    await setUpNetwork(shim, ctx, id, config);
  } finally {
    await shim.startingSandboxes.end(id);
  }
  return { podSandboxId: id };
}

/** The image to make the sandbox of; a stand-in, where there is one, only when the pull fails. Upstream: ensureSandboxImageExists (v1.20). */
async function ensureSandboxImage(shim: ShimV120, ctx: Context): Promise<string> {
  const { sandboxImage: image, sandboxImageFallback: fallback } = shim.options;
  try {
    await shim.images.byRef(ctx, image);
    return image;
  } catch (error) {
    if (!(error instanceof ImageNotFoundError)) throw wrapError(`failed to inspect sandbox image ${goQuote(image)}`, error);
  }
  const { sandboxPull } = shim;
  const failedLately = sandboxPull.failedAt !== undefined && ctx.clock.now() - sandboxPull.failedAt < retryAfterMs;
  if (failedLately && fallback && (await isPresent(shim, ctx, fallback.image))) return fallback.image;
  try {
    await pullReference(shim, ctx, { image });
    return image;
  } catch (error) {
    sandboxPull.failedAt = ctx.clock.now();
    if (fallback && (await isPresent(shim, ctx, fallback.image))) {
      shim.deviations.record(ctx, `Sandboxes use the image ${fallback.image}: ${image} is not on this engine.`);
      return fallback.image;
    }
    throw wrapError(`failed pulling image ${goQuote(image)}`, error);
  }
}

const isPresent = (shim: ShimV120, ctx: Context, image: string): Promise<boolean> =>
  shim.images.byRef(ctx, image).then(
    () => true,
    () => false,
  );

async function createSandbox(shim: ShimV120, ctx: Context, config: PodSandboxConfig, image: string): Promise<string> {
  const pod = goQuote(config.metadata.name);
  const oomScoreAdj = await shim.oomScores.fit(ctx, sandboxOomScore, image);
  let body: ReturnType<typeof makeSandboxConfig>;
  try {
    body = makeSandboxConfig(shim, sandboxRequest(config), { image, runtimeHandler: '', oomScoreAdj });
  } catch (error) {
    throw wrapError(`failed to make sandbox docker config for pod ${pod}`, error);
  }
  const host = config.linux ? body.HostConfig : { ...withoutLinux(body.HostConfig), IpcMode: body.HostConfig.IpcMode };
  body = { ...body, HostConfig: { ...host, ...cgroupParent(shim.engine, config.linux?.cgroupParent) } };
  return createWithRecovery(shim, ctx, makeSandboxName(config.metadata), body).catch((error: unknown) => {
    throw wrapError(`failed to create a sandbox for pod ${pod}`, error);
  });
}

async function startSandbox(shim: ShimV120, ctx: Context, id: string, config: PodSandboxConfig): Promise<void> {
  const pod = goQuote(config.metadata.name);
  await shim.docker.startContainer(ctx, { id }).catch((error: unknown) => {
    throw wrapError(`failed to start sandbox container for pod ${pod}`, error);
  });
  // From here on the release counted the network as set up, whatever failed before it was.
  if (config.dnsConfig) {
    try {
      const { ResolvConfPath } = await shim.docker.inspectContainer(ctx, { id }).catch((error: unknown) => {
        throw wrapError(`failed to inspect sandbox container for pod ${pod}`, error);
      });
      await shim.files.rewriteResolvConf(ResolvConfPath, config.dnsConfig).catch((error: unknown) => {
        throw wrapError(`rewrite resolv.conf failed for pod ${pod}`, error);
      });
    } catch (error) {
      shim.networkReady.set(id, true);
      throw error;
    }
  }
}

function setUpNetwork(shim: ShimV120, ctx: Context, id: string, config: PodSandboxConfig): Promise<void> {
  const isHostNetwork = config.linux?.securityContext?.namespaceOptions?.network === 'NODE';
  const facts = { podSandboxId: id, plugin: shim.network.name, hostNetwork: isHostNetwork };
  return ctx.tracer.span(ctx, steps.setUpSandboxNetwork, facts, async (inner) => {
    shim.networkReady.set(id, true);
    if (isHostNetwork) return;
    const { name, namespace } = config.metadata;
    const pod = goQuote(name);
    const options: Record<string, string> = config.dnsConfig ? { dns: goDNS(config.dnsConfig) } : {};
    try {
      await shim.network.setUpPod(inner, { namespace, name, sandboxId: id }, config.annotations ?? {}, options);
    } catch (error) {
      const failures = [wrapError(`failed to set up sandbox container ${goQuote(id)} network for pod ${pod}`, error)];
      await shim.network.tearDownPod(inner, { namespace, name, sandboxId: id }).catch((cause: unknown) => {
        failures.push(wrapError(`failed to clean up sandbox container ${goQuote(id)} network for pod ${pod}`, cause));
      });
      await shim.docker.stopContainer(inner, { id, timeout: stopGraceSeconds }).catch((cause: unknown) => {
        // Only this last failure decides what is remembered.
        shim.networkReady.set(id, false);
        failures.push(wrapError(`failed to stop sandbox container ${goQuote(id)} for pod ${pod}`, cause));
      });
      throw aggregateErrors(failures) ?? error;
    }
  });
}

/** As Go writes the message: empty members are left out. */
const goDNS = ({ servers = [], searches = [], options = [] }: NonNullable<PodSandboxConfig['dnsConfig']>): string =>
  JSON.stringify({ ...(servers.length > 0 ? { servers } : {}), ...(searches.length > 0 ? { searches } : {}), ...(options.length > 0 ? { options } : {}) });
