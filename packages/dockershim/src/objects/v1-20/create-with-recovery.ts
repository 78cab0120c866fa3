/**
 * Creates containers and handles name conflicts as v1.20 did. Upstream: recoverFromCreationConflictIfNeeded
 * (helpers.go, v1.20).
 */
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../../docker/create-body.ts';
import { conflictingContainer } from '../../docker/error.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';
import { randomizeName } from '../names.ts';
import { isContainerNotFound } from './errors.ts';

/**
 * Creates a container and returns its id. If another container of this instance has the name and isn't running, that
 * container is removed and the conflict is thrown, because the caller retries. If no container has the name, the new
 * one gets another name. Upstream: recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20), which doesn't
 * check the owner.
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
