var e=`/** Creating a container whose name may be taken, as v1.20 did. */
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import { conflictingContainer } from '../docker/error.ts';
import { randomizeName } from '../names.ts';
import { isContainerNotFound } from './errors.ts';
import type { ShimV120 } from './shim.ts';

/**
 * Creates a container and gives out its id. Who has the name is removed, if it does not run; the conflict is still reported, as the caller
 * tries again. A name that the engine holds without a container is avoided.
 * Upstream: recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20). Somebody else's container is left alone.
 */
export async function createWithRecovery(shim: ShimV120, ctx: Context, name: string, body: ContainerCreateBody): Promise<string> {
  try {
    return (await shim.docker.createContainer(ctx, { name, body })).Id;
  } catch (error) {
    const id = conflictingContainer(error);
    if (id === undefined) throw error;
    const tell = (outcome: string): void => ctx.tracer.decide(ctx, 'createWithRecovery.conflict', { name, conflicting: id }, outcome);
    try {
      if (!(await shim.objects.owns(ctx, id))) throw error;
      await shim.docker.removeContainer(ctx, { id, force: false });
    } catch (failure) {
      if (isContainerNotFound(failure)) {
        tell('by nobody that is there: take another name');
        return (await shim.docker.createContainer(ctx, { name: randomizeName(name), body })).Id;
      }
      tell('by a container that stays: give up');
      throw error;
    }
    tell('by a dead container, which is removed: the next try will succeed');
    throw error;
  }
}
`;export{e as default};
//# sourceMappingURL=create-with-recovery-DS0QrGMC.js.map