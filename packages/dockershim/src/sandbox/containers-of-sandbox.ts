/** Lists the containers of a sandbox. */
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerSummary } from '../docker/schemas.ts';
import { labelKeys } from '../objects/labels.ts';

/**
 * Returns the containers of a sandbox that belong to this instance.
 * @param running whether to return only running containers
 */
export async function containersOfSandbox(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  options: { readonly running?: boolean } = {},
): Promise<readonly ContainerSummary[]> {
  const label = [...dependencies.objects.labelFilter('container'), `${labelKeys.sandboxId}=${id}`];
  return dependencies.docker.listContainers(ctx, { all: !options.running, filters: { label } });
}
