/** StartContainer. */
import type { StartContainerRequest, StartContainerResponse } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { Shim } from '../shim.ts';
import { applyCgroupSettings, cgroupSettingsOf } from './cgroup-settings.ts';
import { lifeOf } from './container-status.ts';

/** What every runc says in its own quoting. */
const executableNotFound = /exec: \\*"[^"]*": executable file not found/;

/**
 * Upstream: StartContainer (dockershim docker_container.go, v1.20). Nothing about the log can fail a start. Unlike there a container has one life: the
 * engine would start an exited one again.
 * @throws CriError FailedPrecondition for a container that was started before
 */
export async function startContainer(shim: Shim, ctx: Context, { containerId }: StartContainerRequest): Promise<StartContainerResponse> {
  const id = shim.objects.takeNew(containerId) ? containerId : await requireCreated(shim, ctx, containerId);
  const starting = shim.docker.startContainer(ctx, { id });
  const logging = shim.logWriters.start(id, starting);
  try {
    await starting;
    await Promise.all([logging, applyCgroupSettings(shim, ctx, id, shim.cgroupSettings.get(id) ?? [])]);
    shim.cgroupSettings.delete(id);
    return {};
  } catch (error) {
    throw wrapError(`failed to start container ${goQuote(id)}`, readableStartError(error));
  }
}

async function requireCreated(shim: Shim, ctx: Context, containerId: string): Promise<string> {
  const container = await shim.objects.inspect(ctx, containerId, 'container');
  // It may be known under its full id.
  shim.objects.takeNew(container.Id);
  const { state } = lifeOf(container);
  if (state === 'CONTAINER_CREATED') {
    // Another process may have made it.
    shim.cgroupSettings.set(container.Id, cgroupSettingsOf(container.Config.Labels));
    return container.Id;
  }
  throw new CriError('FailedPrecondition', `container ${goQuote(container.Id)} is in state ${state}: only a created one can be started`);
}

/** Upstream: customizeStartError's transformStartContainerError (v1.20). */
function readableStartError(error: unknown): unknown {
  if (!(error instanceof CriError) || !executableNotFound.test(error.message)) return error;
  return new CriError(error.code, 'executable not found in $PATH', { cause: error });
}
