/** Who a container runs as. */
import type { ContainerConfig } from '@podscope/cri';
import type { ImageDefinition } from './images/catalog.ts';

/** Users that the simulated images know by name. */
const known: Readonly<Record<string, number>> = { root: 0, nobody: 65_534, 'www-data': 33, nginx: 101, redis: 999, postgres: 999, mysql: 999, node: 1000 };

/** The user and group ids; undefined for a name nobody knows. */
export function userOf(config: ContainerConfig, image: ImageDefinition): { readonly uid: number; readonly gid: number } | undefined {
  const security = config.linux?.securityContext;
  const [name = '', group = ''] = (security?.runAsUsername || image.user || 'root').split(':');
  const uid = security?.runAsUser?.value ?? (/^\d+$/.test(name) ? Number(name) : known[name]);
  if (uid === undefined) return undefined;
  return { uid, gid: security?.runAsGroup?.value ?? (/^\d+$/.test(group) ? Number(group) : 0) };
}
