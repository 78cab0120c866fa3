/** Implements StartContainer. Upstream: dockershim docker_container.go (v1.20). */
import type { StartContainerRequest, StartContainerResponse } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';
import { stateFieldsOf } from './container-status.ts';
import { applyCgroupSettings, cgroupSettingsOf } from './create/cgroup-settings.ts';

/** Matches the error of a missing executable. Releases of runc quote the name differently. */
const executableNotFound = /exec: \\*"[^"]*": executable file not found/;

/**
 * Starts a container and the writer of its log. If the log can't be written, the container is still started. A
 * container that has exited isn't started again, although the engine and upstream allow that.
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
 * Waits until the engine has recorded the exit of a container that ends at once: the inspect call waits while the
 * engine handles an exit. Without this wait, a kubelet that lists containers right after the start sees the container
 * as running. The kubelet then reads the status of an exited container and handles the same exit twice, with a BackOff
 * event each time. Upstream calls inspect here, too, to link the log (createContainerLogSymlink).
 */
async function settled(ctx: Context, { docker }: DockershimDependencies, id: string): Promise<void> {
  // The container has started, so an error of the inspect call is ignored.
  await docker.inspectContainer(ctx, { id }).catch(() => undefined);
}

async function requireCreated(
  ctx: Context,
  dependencies: DockershimDependencies,
  containerId: string,
): Promise<string> {
  const container = await dependencies.objects.inspect(ctx, containerId, 'container');
  // The id in the request may be abbreviated.
  dependencies.objects.takeNew(container.Id);
  const { state } = stateFieldsOf(container);
  if (state === 'CONTAINER_CREATED') {
    // The process that created the container has the settings in memory. In another process they come from the labels.
    dependencies.cgroupSettings.set(container.Id, cgroupSettingsOf(container.Config.Labels));
    return container.Id;
  }
  throw new CriError(
    'FailedPrecondition',
    `container ${goQuote(container.Id)} is in state ${state}: only a created one can be started`,
  );
}

/**
 * Returns the error; for a missing executable, its text is the one that kubelets expect. Upstream:
 * transformStartContainerError (v1.20).
 */
function readableStartError(error: unknown): unknown {
  if (!(error instanceof CriError) || !executableNotFound.test(error.message)) return error;
  return new CriError(error.code, 'executable not found in $PATH', { cause: error });
}
