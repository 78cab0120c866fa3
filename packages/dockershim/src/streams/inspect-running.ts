/** Reads a container or sandbox that must be running. */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import type { ObjectKind } from '../objects/labels.ts';

/**
 * Returns the container or sandbox.
 * @throws CriError NotFound; FailedPrecondition if it isn't running
 */
export async function inspectRunning(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  kind: ObjectKind,
): Promise<ContainerInspect> {
  const found = await dependencies.objects.inspect(ctx, id, kind);
  if (!found.State.Running) throw new CriError('FailedPrecondition', `container not running (${found.Id})`);
  return found;
}
