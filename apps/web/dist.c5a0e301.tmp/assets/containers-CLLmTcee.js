var e=`/** CreateContainer, StartContainer, StopContainer, RemoveContainer and UpdateContainerResources of v1.20. */
import {
  type CreateContainerRequest,
  type CreateContainerResponse,
  CriError,
  type RemoveContainerRequest,
  type StartContainerRequest,
  type StopContainerRequest,
  type UpdateContainerResourcesRequest,
} from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { makeContainerConfig } from '../container/container-config.ts';
import { wrapError } from '../docker/error.ts';
import { labelKeys } from '../labels.ts';
import { makeContainerName } from '../names.ts';
import { seccompOptions } from '../security/options.ts';
import { userOf } from '../security/user.ts';
import { createWithRecovery } from './create-with-recovery.ts';
import { goJSONError } from './go-json-error.ts';
import { cgroupParent, containerRequest, withoutLinux } from './requests.ts';
import type { ShimV120 } from './shim.ts';

type Nothing = Record<string, never>;

/** Upstream: CreateContainer (dockershim docker_container.go, v1.20). Whether the sandbox runs is seen at the start. */
export async function createContainer(shim: ShimV120, ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse> {
  const { config, sandboxConfig, podSandboxId: sandboxId } = request;
  if (!config?.metadata) throw new CriError('Unknown', 'container config is nil');
  const name = goQuote(config.metadata.name);
  if (!sandboxConfig?.metadata) throw new CriError('Unknown', \`sandbox config is nil for container \${name}\`);
  await shim.engineVersion.check(ctx).catch((error: unknown) => {
    throw wrapError('unable to get the docker API version', error);
  });
  checkUser(request);
  const oomScoreAdj = await shim.oomScores.fit(ctx, config.linux?.resources?.oomScoreAdj ?? 0, shim.options.sandboxImage);
  const settings = { sandboxId, runtimeHandler: '', oomScoreAdj };
  const made = await makeContainerConfig(shim, containerRequest(request), settings);
  const seccomp = await seccompOption(shim, request).catch((error: unknown) => {
    throw wrapError(\`failed to generate security options for container \${name}\`, error);
  });
  const HostConfig = {
    ...(config.linux ? made.HostConfig : withoutLinux(made.HostConfig)),
    ...cgroupParent(shim.engine, sandboxConfig.linux?.cgroupParent),
    SecurityOpt: [...(made.HostConfig.SecurityOpt ?? []), ...seccomp],
  };
  const body = { ...made, HostConfig };
  const containerId = await createWithRecovery(shim, ctx, makeContainerName(sandboxConfig.metadata, config.metadata), body);
  shim.objects.remember(containerId, 'container');
  return { containerId };
}

/** Only the string form is read; a text that is no JSON is told in Go's words. */
function seccompOption(shim: ShimV120, { config }: CreateContainerRequest): Promise<string[]> {
  const { seccompProfilePath } = config.linux?.securityContext ?? {};
  return seccompOptions({ seccompProfilePath }, async (path) => {
    const text = await shim.files.read(path);
    const problem = goJSONError(text);
    if (problem !== undefined) throw new NoJSON(problem);
    return text;
  }).catch((error: unknown) => {
    throw error instanceof CriError && error.cause instanceof NoJSON
      ? new CriError('Unknown', \`failed to generate seccomp security options for container: \${error.cause.message}\`, { cause: error })
      : error;
  });
}

class NoJSON extends Error {}

/** A group without a user has an error of its own words. */
function checkUser({ config }: CreateContainerRequest): void {
  try {
    userOf(config.linux?.securityContext ?? {});
  } catch (error) {
    throw wrapError(
      \`failed to update container create config: failed to apply container security context for container \${goQuote(config.metadata.name)}\`,
      error,
    );
  }
}

/** Upstream: StartContainer (dockershim docker_container.go, v1.20). The link to the log is made even when the start failed. */
export async function startContainer(shim: ShimV120, ctx: Context, { containerId }: StartContainerRequest): Promise<Nothing> {
  const id = await shim.objects.resolve(ctx, containerId, 'container');
  const failure = await shim.docker.startContainer(ctx, { id }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await linkLog(shim, ctx, id);
  if (failure) throw wrapError(\`failed to start container \${goQuote(id)}\`, readableStartError(failure.error));
  return {};
}

/** Three backslashes, as the engines of that time quoted. Upstream: transformStartContainerError (v1.20). */
const readableStartError = (error: unknown): unknown =>
  error instanceof Error && /\\\\\\\\\\\\".*\\\\\\\\\\\\": executable file not found/.test(error.message)
    ? new CriError('Unknown', 'executable not found in $PATH', { cause: error })
    : error;

/** Where CRI wants the log, and where the engine writes it. */
async function logPathsOf(shim: ShimV120, ctx: Context, id: string): Promise<{ readonly link: string; readonly target: string }> {
  const container = await shim.objects.inspect(ctx, id, 'container').catch((error: unknown) => {
    throw wrapError(\`failed to get container \${goQuote(id)} log path: failed to inspect container \${goQuote(id)}\`, error);
  });
  return { link: container.Config.Labels[labelKeys.logPath] ?? '', target: container.LogPath };
}

/** Upstream: createContainerLogSymlink (dockershim docker_container.go, v1.20). */
async function linkLog(shim: ShimV120, ctx: Context, id: string): Promise<void> {
  const { link, target } = await logPathsOf(shim, ctx, id);
  const outcome = link === '' ? 'nowhere: none is wanted' : target === '' ? "nowhere: the engine's logging driver writes no file" : target;
  ctx.tracer.decide(ctx, 'linkLog.target', { link, target }, outcome, link !== '' && target !== '');
  if (link === '') return;
  if (target === '') {
    const { LoggingDriver } = await shim.docker.info(ctx, {});
    if (LoggingDriver === 'json-file') ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: \`Container \${id} has no log file to link to.\` });
    return;
  }
  await shim.files.remove(link).catch(() => undefined);
  await shim.files.symlink(target, link).catch((error: unknown) => {
    throw wrapError(\`failed to create symbolic link \${goQuote(link)} to the container log file \${goQuote(target)} for container \${goQuote(id)}\`, error);
  });
}

/** Upstream: StopContainer (dockershim docker_container.go, v1.20). An unknown container is an error. */
export async function stopContainer(shim: ShimV120, ctx: Context, { containerId, timeout }: StopContainerRequest): Promise<Nothing> {
  const id = await shim.objects.resolve(ctx, containerId, 'container');
  await shim.docker.stopContainer(ctx, { id, timeout: Math.max(0, Math.floor(timeout)) });
  return {};
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === 'ENOENT' || error.message.endsWith('file does not exist'));

/** Upstream: RemoveContainer (dockershim docker_container.go, v1.20). An unknown container is an error. */
export async function removeContainer(shim: ShimV120, ctx: Context, { containerId: id }: RemoveContainerRequest): Promise<Nothing> {
  const { link } = await logPathsOf(shim, ctx, id);
  if (link !== '') {
    await shim.files.remove(link).catch((error: unknown) => {
      if (!isMissing(error)) throw wrapError(\`failed to remove container \${goQuote(id)} log symlink \${goQuote(link)}\`, error);
    });
  }
  await shim.docker.removeContainer(ctx, { id, force: true }).catch((error: unknown) => {
    throw wrapError(\`failed to remove container \${goQuote(id)}\`, error);
  });
  shim.objects.forget(id);
  return {};
}

/** Upstream: UpdateContainerResources (dockershim docker_container_unix.go, v1.20). The swap limit stays: a higher memory limit may be refused. */
export async function updateContainerResources(shim: ShimV120, ctx: Context, { containerId, linux = {} }: UpdateContainerResourcesRequest): Promise<Nothing> {
  const id = await shim.objects.resolve(ctx, containerId, 'container');
  const body = {
    CpuPeriod: linux.cpuPeriod ?? 0,
    CpuQuota: linux.cpuQuota ?? 0,
    CpuShares: linux.cpuShares ?? 0,
    CpusetCpus: linux.cpusetCpus ?? '',
    CpusetMems: linux.cpusetMems ?? '',
    Memory: linux.memoryLimitInBytes ?? 0,
    RestartPolicy: { Name: '', MaximumRetryCount: 0 },
  };
  await shim.docker.updateContainer(ctx, { id, body }).catch((error: unknown) => {
    throw wrapError(\`failed to update container \${goQuote(id)}\`, error);
  });
  return {};
}
`;export{e as default};
//# sourceMappingURL=containers-CLLmTcee.js.map