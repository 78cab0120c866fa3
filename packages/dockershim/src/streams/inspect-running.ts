/** Requires a running container or sandbox. */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import type { ObjectKind } from '../objects/labels.ts';

/** Returns the container or sandbox. @throws CriError NotFound, or FailedPrecondition if it doesn't run */
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
