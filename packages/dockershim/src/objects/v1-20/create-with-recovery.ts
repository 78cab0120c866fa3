/**
 * Creates containers whose name may be taken, as v1.20 did. Upstream: recoverFromCreationConflictIfNeeded (helpers.go,
 * v1.20).
 */
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../../docker/create-body.ts';
import { conflictingContainer } from '../../docker/error.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';
import { randomizeName } from '../names.ts';
import { isContainerNotFound } from './errors.ts';

/**
 * Creates a container and returns its id. On a name conflict, removes the other container if it doesn't run and belongs
 * to this instance, and still throws the conflict, because the caller retries. If no container with the name exists,
 * uses another name. Upstream: recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20), which has no owners.
 */
export async function createWithRecovery(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  name: string,
  body: ContainerCreateBody,
): Promise<string> {
  try {
    return (await dependencies.docker.createContainer(ctx, { name, body })).Id;
  } catch (error) {
    const id = conflictingContainer(error);
    if (id === undefined) throw error;
    const decide = (outcome: string): void =>
      ctx.tracer.decide(ctx, 'createWithRecovery.conflict', { name, conflicting: id }, outcome);
    try {
      if (!(await dependencies.objects.owns(ctx, id))) throw error;
      await dependencies.docker.removeContainer(ctx, { id, force: false });
    } catch (failure) {
      if (isContainerNotFound(failure)) {
        decide('by a container that no longer exists: use another name');
        return (await dependencies.docker.createContainer(ctx, { name: randomizeName(name), body })).Id;
      }
      decide('by a container that could not be removed: give up');
      throw error;
    }
    decide('by a stopped container, which was removed: the next attempt succeeds');
    throw error;
  }
}
