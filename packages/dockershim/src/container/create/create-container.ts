/**
 * Implements CreateContainer: creates a container that joins its sandbox's namespaces. Upstream: dockershim
 * docker_container.go (v1.20).
 */
import { type CreateContainerRequest, type CreateContainerResponse, CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../../dependencies.ts';
import { isNotFound, wrapError } from '../../docker/error.ts';
import { findImage } from '../../image/find-image.ts';
import { createWithRecovery } from '../../objects/create-with-recovery.ts';
import { labelKeys } from '../../objects/labels.ts';
import { makeContainerName } from '../../objects/names.ts';
import { requireAppArmor } from '../../security/options.ts';
import { userOf } from '../../security/user.ts';
import { cgroupSettings, cgroupSettingsLabel, settableOf } from './cgroup-settings.ts';
import { asksForAll, makeContainerConfig } from './container-config.ts';
import { resolveImageMounts } from './image-mounts.ts';
import { relabelingForcesRecursion } from './mounts.ts';
import { recursiveMounts } from './recursive-readonly.ts';
import { reportForcedRecursion } from './relabel.ts';

/**
 * Creates a container and returns its id. The image must be present.
 * @throws CriError InvalidArgument, NotFound (sandbox or image), AlreadyExists (name), Unimplemented
 */
export async function createContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  request: CreateContainerRequest,
): Promise<CreateContainerResponse> {
  const { config, sandboxConfig } = request;
  if (!config?.metadata) throw new CriError('InvalidArgument', 'container config is nil');
  const name = goQuote(config.metadata.name);
  if (!sandboxConfig?.metadata) throw new CriError('InvalidArgument', `sandbox config is nil for container ${name}`);
  if (!config.image?.image) throw new CriError('InvalidArgument', `container ${name} has no image`);

  const sandbox = await dependencies.objects
    .inspect(ctx, request.podSandboxId, 'podsandbox')
    .catch((error: unknown) => {
      throw wrapError("unable to get container's sandbox ID", error);
    });
  await requireAppArmor(config.linux?.securityContext ?? {}, dependencies.engine);
  await checkTarget(ctx, dependencies, request);
  const oomScoreAdj = await dependencies.oomScores.fit(ctx, config.linux?.resources?.oomScoreAdj ?? 0, sandbox.Image);
  const runtimeHandler = sandbox.Config.Labels[labelKeys.runtimeHandler] ?? '';
  const missingCapabilities = asksForAll(config.linux?.securityContext ?? {})
    ? await dependencies.capabilities.missing(ctx, sandbox.Image)
    : [];
  const mounts = await resolveImageMounts(ctx, dependencies, config.mounts);
  const { mounts: longMounts, labels } = await recursiveMounts(dependencies, config.mounts);
  const { apiVersion } = dependencies.docker;
  const { hasSELinux } = dependencies.engine;
  reportForcedRecursion(ctx, apiVersion, mounts, (mount) =>
    relabelingForcesRecursion(mount, { apiVersion, hasSELinux }),
  );
  const ownSettings = await settableOf(dependencies, cgroupSettings(config.linux?.resources));
  const user = await strictUser(ctx, dependencies, request);
  const settings = {
    sandboxId: sandbox.Id,
    runtimeHandler,
    oomScoreAdj,
    missingCapabilities,
    apiVersion,
    mounts,
    longMounts,
    labels: { ...labels, ...cgroupSettingsLabel(ownSettings) },
    ...(user ? { user } : {}),
  };
  const body = await makeContainerConfig(dependencies, request, settings).catch((error: unknown) => {
    throw wrapError('failed to update container create config', error);
  });
  const containerId = await createWithRecovery(
    ctx,
    dependencies,
    makeContainerName(sandboxConfig.metadata, config.metadata),
    body,
  );
  dependencies.objects.rememberNew(containerId);
  if (ownSettings.length > 0) dependencies.cgroupSettings.set(containerId, ownSettings);
  dependencies.logWriters.created({
    id: containerId,
    tty: config.tty ?? false,
    path: body.Labels[labelKeys.logPath] ?? '',
  });
  return { containerId };
}

/**
 * Returns the user for `supplementalGroupsPolicy: Strict`. The user includes its group, because otherwise the engine
 * adds the groups from the image. Returns undefined for another policy, or if the request contains the group.
 */
async function strictUser(
  ctx: Context,
  dependencies: DockershimDependencies,
  { config }: CreateContainerRequest,
): Promise<string | undefined> {
  const security = config.linux?.securityContext ?? {};
  if (security.supplementalGroupsPolicy !== 'Strict' || security.runAsGroup) return undefined;
  const image = await findImage(ctx, dependencies, config.image.image);
  if (!image) throw new CriError('NotFound', `Error: No such image: ${config.image.image}`);
  const user = userOf(security) || image.Config.User;
  return user.includes(':') ? user : `${user || 0}:${await dependencies.imageUsers.primaryGroup(ctx, image.Id, user)}`;
}

/** Checks that the container whose PID namespace is shared belongs to this instance. */
async function checkTarget(
  ctx: Context,
  dependencies: DockershimDependencies,
  { config }: CreateContainerRequest,
): Promise<void> {
  const options = config.linux?.securityContext?.namespaceOptions;
  if (options?.pid !== 'TARGET') return;
  const target = options.targetId ?? '';
  try {
    await dependencies.objects.resolve(ctx, target, 'container');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CriError('InvalidArgument', `invalid target container ${goQuote(target)}: no such container`, {
      cause: error,
    });
  }
}
