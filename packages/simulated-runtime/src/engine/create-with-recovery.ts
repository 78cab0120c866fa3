/**
 * Creates containers and handles the conflict when the name is already used. Upstream:
 * recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20).
 */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { dockerCall } from './docker-calls.ts';

/** Docker's error for a container name that is already in use. */
export class NameConflictError extends CriError {
  override readonly name = 'CriError';
  /** The id of the container that has the name. */
  readonly conflicting: string;

  constructor(name: string, conflicting: string) {
    super(
      'Unknown',
      `Error response from daemon: Conflict. The container name "/${name}" is already in use by container ` +
        `"${conflicting}". You have to remove (or rename) that container to be able to reuse that name.`,
    );
    this.conflicting = conflicting;
  }
}

/** How to create a container, and how to remove the container that has its name. */
export interface Creation<T> {
  readonly name: string;
  /** Returns the body of the create request. */
  readonly body: () => unknown;
  /**
   * Creates the container.
   * @throws NameConflictError when the name is in use
   */
  readonly create: (ctx: Context) => Promise<T> | T;
  /** Inspects the container that has the name. */
  readonly inspect: (ctx: Context, id: string) => Promise<unknown>;
  /**
   * Removes a container unless it is running.
   * @throws CriError when it is running
   */
  readonly remove: (id: string) => void;
}

/**
 * Creates a container. If a stopped container has the name, removes it and still throws the conflict, so that the
 * caller's retry succeeds.
 * @throws NameConflictError when the name is in use
 */
export async function createWithRecovery<T extends { readonly id: string }>(
  ctx: Context,
  { name, body, create, inspect, remove }: Creation<T>,
): Promise<T> {
  try {
    return await dockerCall(
      ctx,
      'createContainer',
      () => ({ query: { name }, body: body() }),
      async (inner) => {
        const created = await create(inner);
        inner.span.set({ response: { Id: created.id } });
        return created;
      },
    );
  } catch (error) {
    if (!(error instanceof NameConflictError)) throw error;
    const { conflicting } = error;
    const removal = async (): Promise<void> => {
      await inspect(ctx, conflicting);
      await dockerCall(ctx, 'removeContainer', { id: conflicting, query: { v: 1 } }, () => remove(conflicting));
    };
    const isRemoved = await removal().then(
      () => true,
      () => false,
    );
    ctx.tracer.decide(
      ctx,
      'createWithRecovery.conflict',
      { name, conflicting },
      isRemoved
        ? 'by a stopped container, which was removed: the next attempt succeeds'
        : 'by a container that could not be removed: give up',
    );
    throw error;
  }
}
