var e=`/** CheckpointContainer. */
import { type CheckpointContainerRequest, type CheckpointContainerResponse, CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { Shim } from '../shim.ts';
import { inspectRunning } from '../streams/inspect-running.ts';

/**
 * Refused: the file that CRI asks for holds a container's memory and files in one archive, from which another runtime can go on. Docker writes
 * checkpoints (in experimental mode, with CRIU) only into directories of its own, for itself to start from.
 * @throws CriError NotFound or FailedPrecondition for a container that does not run, else Unimplemented.
 */
export async function checkpointContainer(shim: Shim, ctx: Context, { containerId }: CheckpointContainerRequest): Promise<CheckpointContainerResponse> {
  await inspectRunning(shim, ctx, containerId, 'container');
  throw new CriError('Unimplemented', 'checkpoints are not supported by Docker: it writes none that another runtime could restore');
}
`;export{e as default};
//# sourceMappingURL=checkpoint-container-GTIsae9g.js.map