/**
 * Creates containers, and handles the conflict when the name is already used. Upstream:
 * recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20).
 */
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import { conflictingContainer, isNotFound } from '../docker/error.ts';
import { randomizeName } from './names.ts';

/**
 * Creates a container and returns its id. A name conflict is handled in one of two ways. If a stopped container of this
 * instance has the name, that container is removed and the conflict is thrown, so that the caller's retry succeeds. If
 * no container has the name, because the engine lost it, the container gets another name. A container of another owner
 * is never removed. Upstream: recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20).
 * @throws CriError AlreadyExists for a conflict
 */
export async function createWithRecovery(
  ctx: Context,
  dependencies: DockershimDependencies,
  name: string,
  body: ContainerCreateBody,
): Promise<string> {
  try {
    return (await dependencies.docker.createContainer(ctx, { name, body })).Id;
  } catch (error) {
    const conflicting = conflictingContainer(error);
    if (!conflicting) throw error;
    const decide = (outcome: string): void =>
      ctx.tracer.decide(ctx, 'createWithRecovery.conflict', { name, conflicting }, outcome);
    try {
      const { Config } = await dependencies.docker.inspectContainer(ctx, { id: conflicting });
      if (!dependencies.objects.isOurs(Config.Labels))
        throw foreignConflict(error as Error, dependencies.options.instance);
      await dependencies.docker.removeContainer(ctx, { id: conflicting, force: false });
    } catch (failure) {
      if (isNotFound(failure)) {
        decide('by a container that no longer exists: use another name');
        return (await dependencies.docker.createContainer(ctx, { name: randomizeName(name), body })).Id;
      }
      decide(
        failure instanceof ForeignConflict
          ? 'by a container of another owner: give up'
          : 'by a container that could not be removed: give up',
      );
      throw failure instanceof ForeignConflict ? failure : error;
    }
    decide('by a stopped container, which was removed: the next attempt succeeds');
    throw error;
  }
}

class ForeignConflict extends CriError {}

const foreignConflict = (cause: Error, instance: string): ForeignConflict =>
  new ForeignConflict(
    'AlreadyExists',
    `${cause.message} That container does not belong to this Podscope (instance ${goQuote(instance)}) and is ` +
      'left alone: remove or rename it.',
    { cause },
  );
