/** CreateContainer: a container that joins its sandbox's namespaces. */
import { type CreateContainerRequest, type CreateContainerResponse, CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { createWithRecovery } from '../create-with-recovery.ts';
import { isNotFound, wrapError } from '../docker/error.ts';
import { findImage } from '../image/find-image.ts';
import { labelKeys } from '../labels.ts';
import { makeContainerName } from '../names.ts';
import { requireAppArmor } from '../security/options.ts';
import { userOf } from '../security/user.ts';
import type { Shim } from '../shim.ts';
import { cgroupSettings, cgroupSettingsLabel, settableOf } from './cgroup-settings.ts';
import { asksForAll, makeContainerConfig } from './container-config.ts';
import { resolveImageMounts } from './image-mounts.ts';
import { recursiveMounts } from './recursive-readonly.ts';

/** Upstream: CreateContainer (dockershim docker_container.go, v1.20). The image is not pulled here. */
export async function createContainer(shim: Shim, ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse> {
  const { config, sandboxConfig } = request;
  if (!config?.metadata) throw new CriError('InvalidArgument', 'container config is nil');
  const name = goQuote(config.metadata.name);
  if (!sandboxConfig?.metadata) throw new CriError('InvalidArgument', `sandbox config is nil for container ${name}`);
  if (!config.image?.image) throw new CriError('InvalidArgument', `container ${name} has no image`);

  const sandbox = await shim.objects.inspect(ctx, request.podSandboxId, 'podsandbox').catch((error: unknown) => {
    throw wrapError("unable to get container's sandbox ID", error);
  });
  await requireAppArmor(config.linux?.securityContext ?? {}, shim.engine);
  await checkTarget(shim, ctx, request);
  const oomScoreAdj = await shim.oomScores.fit(ctx, config.linux?.resources?.oomScoreAdj ?? 0, sandbox.Image);
  const runtimeHandler = sandbox.Config.Labels[labelKeys.runtimeHandler] ?? '';
  const missingCapabilities = asksForAll(config.linux?.securityContext ?? {}) ? await shim.capabilities.missing(ctx, sandbox.Image) : [];
  const mounts = await resolveImageMounts(shim, ctx, config.mounts);
  const { mounts: longMounts, labels } = await recursiveMounts(shim, config.mounts);
  const ownSettings = await settableOf(shim, cgroupSettings(config.linux?.resources));
  const user = await strictUser(shim, ctx, request);
  const settings = {
    sandboxId: sandbox.Id,
    runtimeHandler,
    oomScoreAdj,
    missingCapabilities,
    apiVersion: shim.docker.apiVersion,
    mounts,
    longMounts,
    labels: { ...labels, ...cgroupSettingsLabel(ownSettings) },
    ...(user ? { user } : {}),
  };
  const body = await makeContainerConfig(shim, request, settings).catch((error: unknown) => {
    throw wrapError('failed to update container create config', error);
  });
  const containerId = await createWithRecovery(shim, ctx, makeContainerName(sandboxConfig.metadata, config.metadata), body);
  shim.objects.rememberNew(containerId);
  if (ownSettings.length > 0) shim.cgroupSettings.set(containerId, ownSettings);
  shim.logWriters.created({ id: containerId, tty: config.tty ?? false, path: body.Labels[labelKeys.logPath] ?? '' });
  return { containerId };
}

/**
 * The user for `supplementalGroupsPolicy: Strict`: the engine adds the image's groups to a user unless it is told the user's own group.
 * Undefined where the policy is another, or the request names the group.
 */
async function strictUser(shim: Shim, ctx: Context, { config }: CreateContainerRequest): Promise<string | undefined> {
  const security = config.linux?.securityContext ?? {};
  if (security.supplementalGroupsPolicy !== 'Strict' || security.runAsGroup) return undefined;
  const image = await findImage(shim, ctx, config.image.image);
  if (!image) throw new CriError('NotFound', `Error: No such image: ${config.image.image}`);
  const user = userOf(security) || image.Config.User;
  return user.includes(':') ? user : `${user || 0}:${await shim.imageUsers.primaryGroup(ctx, image.Id, user)}`;
}

/** A container may enter the processes of its own pod only. */
async function checkTarget(shim: Shim, ctx: Context, { config }: CreateContainerRequest): Promise<void> {
  const options = config.linux?.securityContext?.namespaceOptions;
  if (options?.pid !== 'TARGET') return;
  const target = options.targetId ?? '';
  try {
    await shim.objects.resolve(ctx, target, 'container');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CriError('InvalidArgument', `invalid target container ${goQuote(target)}: no such container`, { cause: error });
  }
}
