/** Rejects CheckpointContainer, because Docker can't implement it. Upstream's dockershim had no such RPC. */
import { type CheckpointContainerRequest, type CheckpointContainerResponse, CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { inspectRunning } from '../streams/inspect-running.ts';

/**
 * Rejects the request. CRI requires one archive with a container's memory and files that another runtime can restore.
 * Docker writes checkpoints (in experimental mode, with CRIU) only into its own directories.
 * @throws CriError NotFound; FailedPrecondition for a container that isn't running; otherwise Unimplemented
 */
export async function checkpointContainer(
  ctx: Context,
  dependencies: DockershimDependencies,
  { containerId }: CheckpointContainerRequest,
): Promise<CheckpointContainerResponse> {
  await inspectRunning(ctx, dependencies, containerId, 'container');
  throw new CriError(
    'Unimplemented',
    'checkpoints are not supported by Docker: it writes none that another runtime could restore',
  );
}
