/** Determines the user of a container from its security context and its image. */
import { type ContainerConfig, CriError } from '@podscope/cri';
import type { ImageDefinition } from '../images/catalog.ts';

/** A user with its primary group. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Users of the simulated images by name. */
const known: Readonly<Record<string, number>> = {
  root: 0,
  nobody: 65_534,
  'www-data': 33,
  nginx: 101,
  redis: 999,
  postgres: 999,
  mysql: 999,
  node: 1000,
};

/** Content of an image's `/etc/passwd`. */
export const passwd = Object.entries(known)
  .map(([name, uid]) => `${name}:x:${uid}:${uid}:${name}:${name === 'root' ? '/root' : '/home'}:/bin/sh\n`)
  .join('');

/** Content of an image's `/etc/group`. */
export const group = Object.entries(known)
  .map(([name, gid]) => `${name}:x:${gid}:\n`)
  .join('');

/** Returns the name of a user; for a user without a name, the uid as text. */
export const userName = (uid: number): string => Object.entries(known).find(([, id]) => id === uid)?.[0] ?? String(uid);

/** Returns the engine's error for a user that isn't in the image. */
export const unknownUser = (config: ContainerConfig, image: ImageDefinition): string =>
  `unable to find user ${config.linux?.securityContext?.runAsUsername || image.user}: no matching entries in ` +
  'passwd file';

/**
 * Returns the user and group ids of a container; undefined for an unknown user name.
 * @throws CriError InvalidArgument when a group is requested without a user
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
  return {
    uid,
    gid: security?.runAsGroup?.value ?? (/^\d+$/.test(groupName) ? Number(groupName) : (known[groupName] ?? own)),
  };
}
