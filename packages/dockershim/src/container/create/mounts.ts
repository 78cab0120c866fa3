/**
 * Translates CRI mounts into Docker's two forms: a bind string if it can express the mount, otherwise the long form
 * (`Mounts`). Upstream: generateMountBindings (dockershim helpers.go, v1.20).
 */
import type { Mount } from '@podscope/cri';
import type { DockerMount } from '../../docker/create-body.ts';
import { compareApiVersions } from '../../docker/transport.ts';

/** The API version of Docker 28, the first release that mounts images. */
const imageMountsSince = '1.48';
/** The API version of Docker 25, the first release with recursively read-only mounts. */
const recursiveSince = '1.44';

/** The properties of the engine that determine the form of a mount. */
export interface MountSupport {
  /** The engine's API version. Default: 1.41. */
  readonly apiVersion?: string;
  readonly hasSELinux?: boolean;
}

const propagations = {
  PROPAGATION_PRIVATE: '',
  PROPAGATION_HOST_TO_CONTAINER: 'rslave',
  PROPAGATION_BIDIRECTIONAL: 'rshared',
} as const;

/**
 * Returns the bind string of a mount: `host:container[:options]`. Upstream: generateMountBindings (dockershim
 * helpers.go, v1.20).
 */
function bindOf({
  hostPath = '',
  containerPath,
  readonly,
  selinuxRelabel,
  propagation = 'PROPAGATION_PRIVATE',
}: Mount): string {
  const options = [readonly ? 'ro' : '', selinuxRelabel ? 'Z' : '', propagations[propagation]].filter(Boolean);
  return [hostPath, containerPath, ...(options.length > 0 ? [options.join(',')] : [])].join(':');
}

const isRecursive = (apiVersion: string): boolean => compareApiVersions(apiVersion, recursiveSince) >= 0;

const hasColon = ({ hostPath = '', containerPath }: Mount): boolean => `${hostPath}${containerPath}`.includes(':');

/**
 * Returns true if SELinux relabeling makes the mounts below a mount read-only. Only a bind string can request
 * relabeling, and on some engines a read-only bind string also applies to the mounts below.
 */
export const relabelingForcesRecursion = (
  mount: Mount,
  { apiVersion = '1.41', hasSELinux = false }: MountSupport,
): boolean => hasSELinux && bindForcesRecursion(mount, apiVersion);

/**
 * Returns true if the bind string of a relabeled mount makes the mounts below it read-only. This is the rule of v1.20,
 * which sends a bind string whether or not the engine uses SELinux.
 */
export const bindForcesRecursion = (mount: Mount, apiVersion: string): boolean =>
  mount.readonly === true &&
  mount.selinuxRelabel === true &&
  !mount.recursiveReadOnly &&
  !hasColon(mount) &&
  isRecursive(apiVersion);

/**
 * A mount needs the long form if its path contains a colon, or if it is read-only and the mounts below it stay
 * writable. Bind strings can't express these two cases.
 */
const needsLongForm = (mount: Mount, support: MountSupport): boolean =>
  hasColon(mount) ||
  (mount.readonly === true && isRecursive(support.apiVersion ?? '1.41') && !relabelingForcesRecursion(mount, support));

function longMountOf(mount: Mount, apiVersion: string): DockerMount {
  const propagation = propagations[mount.propagation ?? 'PROPAGATION_PRIVATE'];
  return {
    Type: 'bind',
    Source: mount.hostPath ?? '',
    Target: mount.containerPath,
    ReadOnly: mount.readonly ?? false,
    BindOptions: {
      ...(propagation ? { Propagation: propagation } : {}),
      CreateMountpoint: true,
      ...(mount.readonly && isRecursive(apiVersion) ? { ReadOnlyNonRecursive: true } : {}),
    },
  };
}

/** Returns true if the engine itself can mount images (Docker 28 and newer). */
export const canMountImages = (apiVersion: string): boolean => compareApiVersions(apiVersion, imageMountsSince) >= 0;

function imageMountOf(mount: Mount, image: string): DockerMount {
  const subpath = mount.imageSubPath ? { ImageOptions: { Subpath: mount.imageSubPath } } : {};
  return { Type: 'image', Source: image, Target: mount.containerPath, ReadOnly: true, ...subpath };
}

/**
 * Returns the bind strings and long forms of `mounts`. Recursively read-only mounts are omitted: recursive-readonly.ts
 * handles them.
 */
export function mountsOf(
  mounts: readonly Mount[] = [],
  support: MountSupport = {},
): { binds: string[]; mounts: DockerMount[] } {
  const result: { binds: string[]; mounts: DockerMount[] } = { binds: [], mounts: [] };
  for (const mount of mounts) {
    if (mount.recursiveReadOnly) continue;
    const image = mount.image?.imageRef || mount.image?.image;
    if (image) result.mounts.push(imageMountOf(mount, image));
    else if (needsLongForm(mount, support)) result.mounts.push(longMountOf(mount, support.apiVersion ?? '1.41'));
    else result.binds.push(bindOf(mount));
  }
  return result;
}
