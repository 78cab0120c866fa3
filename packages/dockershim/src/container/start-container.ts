/** Implements StartContainer. Upstream: dockershim docker_container.go (v1.20). */
import type { StartContainerRequest, StartContainerResponse } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';
import { lifeOf } from './container-status.ts';
import { applyCgroupSettings, cgroupSettingsOf } from './create/cgroup-settings.ts';

/** Releases of runc differ only in the quoting of this error. */
const executableNotFound = /exec: \\*"[^"]*": executable file not found/;

/**
 * Starts a container and its log. A log that can't be written doesn't fail the start. Unlike upstream, a container that
 * has exited can't be started again, which the engine would allow.
 * @throws CriError FailedPrecondition for a container that was started before
 */
export async function startContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId }: StartContainerRequest,
): Promise<StartContainerResponse> {
  const id = dependencies.objects.takeNew(containerId)
    ? containerId
    : await requireCreated(ctx, dependencies, containerId);
  const starting = dependencies.docker.startContainer(ctx, { id });
  const logging = dependencies.logWriters.start(id, starting);
  try {
    await starting;
    await Promise.all([
      logging,
      settled(ctx, dependencies, id),
      applyCgroupSettings(ctx, dependencies, id, dependencies.cgroupSettings.get(id) ?? []),
    ]);
    dependencies.cgroupSettings.delete(id);
    return {};
  } catch (error) {
    throw wrapError(`failed to start container ${goQuote(id)}`, readableStartError(error));
  }
}

/**
 * Waits until the engine has a settled state of a container that ends at once: its inspect waits for an exit that is
 * being handled. Without it a kubelet that lists right after the start sees the container running, then reads the
 * status of an exited one, and handles the same exit twice, with a BackOff event each. Upstream inspects here for the
 * log's link (createContainerLogSymlink).
 */
async function settled(ctx: Context, { docker }: DockershimDependencies, id: string): Promise<void> {
  // The container was started, whatever the inspect says.
  await docker.inspectContainer(ctx, { id }).catch(() => undefined);
}

async function requireCreated(
  ctx: Context,
  dependencies: DockershimDependencies,
  containerId: string,
): Promise<string> {
  const container = await dependencies.objects.inspect(ctx, containerId, 'container');
  // The request may have used an abbreviated id.
  dependencies.objects.takeNew(container.Id);
  const { state } = lifeOf(container);
  if (state === 'CONTAINER_CREATED') {
    // The settings are in memory only in the process that created the container.
    dependencies.cgroupSettings.set(container.Id, cgroupSettingsOf(container.Config.Labels));
    return container.Id;
  }
  throw new CriError(
    'FailedPrecondition',
    `container ${goQuote(container.Id)} is in state ${state}: only a created one can be started`,
  );
}

/**
 * Returns the error with the text of kubelets for a missing executable. Upstream: transformStartContainerError (v1.20).
 */
function readableStartError(error: unknown): unknown {
  if (!(error instanceof CriError) || !executableNotFound.test(error.message)) return error;
  return new CriError(error.code, 'executable not found in $PATH', { cause: error });
}
