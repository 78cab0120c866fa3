/** What can only be done to something that runs. */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ContainerInspect } from '../docker/schemas.ts';
import type { ObjectKind } from '../labels.ts';
import type { Shim } from '../shim.ts';

/** The container or sandbox, which must run. @throws CriError NotFound, FailedPrecondition */
export async function inspectRunning(shim: Shim, ctx: Context, id: string, kind: ObjectKind): Promise<ContainerInspect> {
  const found = await shim.objects.inspect(ctx, id, kind);
  if (!found.State.Running) throw new CriError('FailedPrecondition', `container not running (${found.Id})`);
  return found;
}
