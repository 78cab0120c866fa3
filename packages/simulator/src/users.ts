/** Who a container runs as. */
import { type ContainerConfig, CriError } from '@podscope/cri';
import type { ImageDefinition } from './images/catalog.ts';

/** A user and the group it begins with. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Users that the simulated images know by name. */
const known: Readonly<Record<string, number>> = { root: 0, nobody: 65_534, 'www-data': 33, nginx: 101, redis: 999, postgres: 999, mysql: 999, node: 1000 };

/** `/etc/passwd` of an image. */
export const passwd = Object.entries(known)
  .map(([name, uid]) => `${name}:x:${uid}:${uid}:${name}:${name === 'root' ? '/root' : '/home'}:/bin/sh\n`)
  .join('');

/** `/etc/group` of an image. */
export const group = Object.entries(known)
  .map(([name, gid]) => `${name}:x:${gid}:\n`)
  .join('');

/** The name of a user; its number when it has none. */
export const userName = (uid: number): string => Object.entries(known).find(([, id]) => id === uid)?.[0] ?? String(uid);

/** What an engine says of a user whom the image does not know. */
export const unknownUser = (config: ContainerConfig, image: ImageDefinition): string =>
  `unable to find user ${config.linux?.securityContext?.runAsUsername || image.user}: no matching entries in passwd file`;

/**
 * The user and group ids; undefined for a name nobody knows.
 * @throws CriError InvalidArgument when a group is asked for without a user
 */
export function userOf(config: ContainerConfig, image: ImageDefinition): User | undefined {
  const security = config.linux?.securityContext;
  if (security?.runAsGroup && !security.runAsUser && !security.runAsUsername) {
    throw new CriError('InvalidArgument', 'runAsGroup is specified without a runAsUser');
  }
  const [name = '', groupName = ''] = (security?.runAsUsername || image.user || 'root').split(':');
  const uid = security?.runAsUser?.value ?? (/^\d+$/.test(name) ? Number(name) : known[name]);
  if (uid === undefined) return undefined;
  const own = security?.runAsUser === undefined && known[name] !== undefined ? uid : 0;
  return { uid, gid: security?.runAsGroup?.value ?? (/^\d+$/.test(groupName) ? Number(groupName) : (known[groupName] ?? own)) };
}
