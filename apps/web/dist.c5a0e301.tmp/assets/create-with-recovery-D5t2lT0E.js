var e=`/** Creating a container whose name may be taken. */
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from './docker/create-body.ts';
import { conflictingContainer, isNotFound } from './docker/error.ts';
import { randomizeName } from './names.ts';
import type { Shim } from './shim.ts';

/**
 * Creates a container and gives out its id. When the name is taken by a dead container of ours, that one is removed and the conflict is
 * still reported: the caller's retry will succeed. A name that the engine holds without a container is avoided. Somebody else's container
 * is left alone. Upstream: recoverFromCreationConflictIfNeeded (dockershim helpers.go, v1.20).
 */
export async function createWithRecovery(shim: Shim, ctx: Context, name: string, body: ContainerCreateBody): Promise<string> {
  try {
    return (await shim.docker.createContainer(ctx, { name, body })).Id;
  } catch (error) {
    const conflicting = conflictingContainer(error);
    if (!conflicting) throw error;
    try {
      const { Config } = await shim.docker.inspectContainer(ctx, { id: conflicting });
      if (!shim.objects.isOurs(Config.Labels)) throw foreignConflict(error as Error, shim.options.instance);
      await shim.docker.removeContainer(ctx, { id: conflicting, force: false });
    } catch (failure) {
      if (isNotFound(failure)) return (await shim.docker.createContainer(ctx, { name: randomizeName(name), body })).Id;
      throw failure instanceof ForeignConflict ? failure : error;
    }
    throw error;
  }
}

class ForeignConflict extends CriError {}

const foreignConflict = (cause: Error, instance: string): ForeignConflict =>
  new ForeignConflict(
    'AlreadyExists',
    \`\${cause.message} That container does not belong to this Podscope (instance \${goQuote(instance)}) and is left alone: remove or rename it.\`,
    { cause },
  );
`;export{e as default};
//# sourceMappingURL=create-with-recovery-D5t2lT0E.js.map