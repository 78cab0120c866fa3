/**
 * Implements CreateContainer, StartContainer, StopContainer, RemoveContainer and UpdateContainerResources of v1.20.
 * Upstream: dockershim docker_container.go (v1.20).
 */
import {
  type CreateContainerRequest,
  type CreateContainerResponse,
  CriError,
  type RemoveContainerRequest,
  type StartContainerRequest,
  type StopContainerRequest,
  type UpdateContainerResourcesRequest,
} from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { wrapError } from '../../docker/error.ts';
import { labelKeys } from '../../objects/labels.ts';
import { makeContainerName } from '../../objects/names.ts';
import { createWithRecovery } from '../../objects/v1-20/create-with-recovery.ts';
import { cgroupParent, containerRequest, withoutLinux } from '../../objects/v1-20/requests.ts';
import { seccompOptions } from '../../security/options.ts';
import { userOf } from '../../security/user.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';
import { makeContainerConfig } from '../create/container-config.ts';
import { bindForcesRecursion } from '../create/mounts.ts';
import { reportForcedRecursion } from '../create/relabel.ts';
import { goJSONError } from './go-json-error.ts';

type Nothing = Record<string, never>;

/** Creates a container. Doesn't check the state of its sandbox. */
export async function createContainer(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  request: CreateContainerRequest,
): Promise<CreateContainerResponse> {
  const { config, sandboxConfig, podSandboxId: sandboxId } = request;
  if (!config?.metadata) throw new CriError('Unknown', 'container config is nil');
  const name = goQuote(config.metadata.name);
  if (!sandboxConfig?.metadata) throw new CriError('Unknown', `sandbox config is nil for container ${name}`);
  await dependencies.engineVersion.check(ctx).catch((error: unknown) => {
    throw wrapError('unable to get the docker API version', error);
  });
  checkUser(request);
  const oomScoreAdj = await dependencies.oomScores.fit(
    ctx,
    config.linux?.resources?.oomScoreAdj ?? 0,
    dependencies.options.sandboxImage,
  );
  const settings = { sandboxId, runtimeHandler: '', oomScoreAdj };
  const reduced = containerRequest(request);
  const { apiVersion } = dependencies.docker;
  reportForcedRecursion(ctx, apiVersion, reduced.config.mounts, (mount) => bindForcesRecursion(mount, apiVersion));
  const made = await makeContainerConfig(dependencies, reduced, settings);
  const seccomp = await seccompOption(dependencies, request).catch((error: unknown) => {
    throw wrapError(`failed to generate security options for container ${name}`, error);
  });
  const HostConfig = {
    ...(config.linux ? made.HostConfig : withoutLinux(made.HostConfig)),
    ...cgroupParent(dependencies.engine, sandboxConfig.linux?.cgroupParent),
    SecurityOpt: [...(made.HostConfig.SecurityOpt ?? []), ...seccomp],
  };
  const body = { ...made, HostConfig };
  const containerId = await createWithRecovery(
    ctx,
    dependencies,
    makeContainerName(sandboxConfig.metadata, config.metadata),
    body,
  );
  dependencies.objects.remember(containerId, 'container');
  return { containerId };
}

/**
 * Returns the seccomp options. v1.20 reads only the text form. For invalid JSON, the error has the text of Go's JSON
 * parser.
 */
function seccompOption(
  dependencies: DockershimDependenciesV120,
  { config }: CreateContainerRequest,
): Promise<string[]> {
  const { seccompProfilePath } = config.linux?.securityContext ?? {};
  return seccompOptions({ seccompProfilePath }, async (path) => {
    const text = await dependencies.files.read(path);
    const problem = goJSONError(text);
    if (problem !== undefined) throw new NoJSON(problem);
    return text;
  }).catch((error: unknown) => {
    throw error instanceof CriError && error.cause instanceof NoJSON
      ? new CriError('Unknown', `failed to generate seccomp security options for container: ${error.cause.message}`, {
          cause: error,
        })
      : error;
  });
}

class NoJSON extends Error {}

/** Throws upstream's error for a group without a user. */
function checkUser({ config }: CreateContainerRequest): void {
  try {
    userOf(config.linux?.securityContext ?? {});
  } catch (error) {
    throw wrapError(
      'failed to update container create config: failed to apply container security context for container ' +
        goQuote(config.metadata.name),
      error,
    );
  }
}

/** Starts a container. The link to its log is created even if the start fails. */
export async function startContainer(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { containerId }: StartContainerRequest,
): Promise<Nothing> {
  const id = await dependencies.objects.resolve(ctx, containerId, 'container');
  const failure = await dependencies.docker.startContainer(ctx, { id }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await linkLog(ctx, dependencies, id);
  if (failure) throw wrapError(`failed to start container ${goQuote(id)}`, readableStartError(failure.error));
  return {};
}

/**
 * Returns the error, with a shorter text for a missing executable. The regular expression expects three backslashes
 * before each quote, as engines of that time wrote them. Upstream: transformStartContainerError (v1.20).
 */
const readableStartError = (error: unknown): unknown =>
  error instanceof Error && /\\\\\\".*\\\\\\": executable file not found/.test(error.message)
    ? new CriError('Unknown', 'executable not found in $PATH', { cause: error })
    : error;

/** Returns the path of the log for CRI and the path of the engine's log file. */
async function logPathsOf(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  id: string,
): Promise<{ readonly link: string; readonly target: string }> {
  const container = await dependencies.objects.inspect(ctx, id, 'container').catch((error: unknown) => {
    throw wrapError(
      `failed to get container ${goQuote(id)} log path: failed to inspect container ${goQuote(id)}`,
      error,
    );
  });
  return { link: container.Config.Labels[labelKeys.logPath] ?? '', target: container.LogPath };
}

/**
 * Links CRI's log path to the engine's log file. Upstream: createContainerLogSymlink (dockershim docker_container.go,
 * v1.20).
 */
async function linkLog(ctx: Context, dependencies: DockershimDependenciesV120, id: string): Promise<void> {
  const { link, target } = await logPathsOf(ctx, dependencies, id);
  const outcome =
    link === ''
      ? 'nowhere: none is wanted'
      : target === ''
        ? "nowhere: the engine's logging driver writes no file"
        : target;
  ctx.tracer.decide(ctx, 'linkLog.target', { link, target }, outcome, link !== '' && target !== '');
  if (link === '') return;
  if (target === '') {
    const { LoggingDriver } = await dependencies.docker.info(ctx, {});
    if (LoggingDriver === 'json-file')
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `Container ${id} has no log file to link to.`,
      });
    return;
  }
  await dependencies.files.remove(link).catch(() => undefined);
  await dependencies.files.symlink(target, link).catch((error: unknown) => {
    throw wrapError(
      `failed to create symbolic link ${goQuote(link)} to the container log file ${goQuote(target)} for ` +
        `container ${goQuote(id)}`,
      error,
    );
  });
}

/**
 * Stops a container. Unlike in newer releases, a missing container is an error.
 * @throws CriError NotFound
 */
export async function stopContainer(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { containerId, timeout }: StopContainerRequest,
): Promise<Nothing> {
  const id = await dependencies.objects.resolve(ctx, containerId, 'container');
  await dependencies.docker.stopContainer(ctx, { id, timeout: Math.max(0, Math.floor(timeout)) });
  return {};
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'ENOENT' || error.message.endsWith('file does not exist'));

/**
 * Removes a container and the link to its log. Unlike in newer releases, a missing container is an error.
 * @throws CriError NotFound
 */
export async function removeContainer(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { containerId: id }: RemoveContainerRequest,
): Promise<Nothing> {
  const { link } = await logPathsOf(ctx, dependencies, id);
  if (link !== '') {
    await dependencies.files.remove(link).catch((error: unknown) => {
      if (!isMissing(error))
        throw wrapError(`failed to remove container ${goQuote(id)} log symlink ${goQuote(link)}`, error);
    });
  }
  await dependencies.docker.removeContainer(ctx, { id, force: true }).catch((error: unknown) => {
    throw wrapError(`failed to remove container ${goQuote(id)}`, error);
  });
  dependencies.objects.forget(id);
  return {};
}

/**
 * Changes the resources of a container. The swap limit doesn't change, so the engine may reject a higher memory limit.
 */
export async function updateContainerResources(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { containerId, linux = {} }: UpdateContainerResourcesRequest,
): Promise<Nothing> {
  const id = await dependencies.objects.resolve(ctx, containerId, 'container');
  const body = {
    CpuPeriod: linux.cpuPeriod ?? 0,
    CpuQuota: linux.cpuQuota ?? 0,
    CpuShares: linux.cpuShares ?? 0,
    CpusetCpus: linux.cpusetCpus ?? '',
    CpusetMems: linux.cpusetMems ?? '',
    Memory: linux.memoryLimitInBytes ?? 0,
    RestartPolicy: { Name: '', MaximumRetryCount: 0 },
  };
  await dependencies.docker.updateContainer(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError(`failed to update container ${goQuote(id)}`, error);
  });
  return {};
}
