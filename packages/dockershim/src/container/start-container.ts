/** StartContainer. */
import type { StartContainerRequest, StartContainerResponse } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { Shim } from '../shim.ts';

/** What every runc says in its own quoting. */
const executableNotFound = /exec: \\*"[^"]*": executable file not found/;

/** Upstream: StartContainer (dockershim docker_container.go, v1.20). Nothing about the log can fail a start. */
export async function startContainer(shim: Shim, ctx: Context, { containerId }: StartContainerRequest): Promise<StartContainerResponse> {
  const id = await shim.objects.resolve(ctx, containerId, 'container');
  const starting = shim.docker.startContainer(ctx, { id });
  const logging = shim.logWriters.start(id, starting);
  try {
    await starting;
    await logging;
    return {};
  } catch (error) {
    throw wrapError(`failed to start container ${goQuote(id)}`, readableStartError(error));
  }
}

/** Upstream: customizeStartError's transformStartContainerError (v1.20). */
function readableStartError(error: unknown): unknown {
  if (!(error instanceof CriError) || !executableNotFound.test(error.message)) return error;
  return new CriError(error.code, 'executable not found in $PATH', { cause: error });
}
