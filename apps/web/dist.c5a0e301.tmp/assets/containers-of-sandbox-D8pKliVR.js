var e=`/** The containers that joined a sandbox. */
import type { Context } from '@podscope/trace';
import type { ContainerSummary } from '../docker/schemas.ts';
import { labelKeys } from '../labels.ts';
import type { Shim } from '../shim.ts';

/** Our containers of that sandbox; with \`running\` only those that run. */
export async function containersOfSandbox(
  shim: Shim,
  ctx: Context,
  id: string,
  options: { readonly running?: boolean } = {},
): Promise<readonly ContainerSummary[]> {
  const label = [...shim.objects.labelFilter('container'), \`\${labelKeys.sandboxId}=\${id}\`];
  return shim.docker.listContainers(ctx, { all: !options.running, filters: { label } });
}
`;export{e as default};
//# sourceMappingURL=containers-of-sandbox-D8pKliVR.js.map