/** Mounts in Docker's two spellings: a bind string where it can say it, the long form where it cannot. */
import type { Mount } from '@podscope/cri';
import type { DockerMount } from '../docker/create-body.ts';
import { compareApiVersions } from '../docker/transport.ts';

/** Docker 28. */
const imageMountsSince = '1.48';
/** Docker 25: from then on `ro` is recursive, which CRI asks for by another field. A bind string has no word for what is not. */
const recursiveSince = '1.44';

const propagations = { PROPAGATION_PRIVATE: '', PROPAGATION_HOST_TO_CONTAINER: 'rslave', PROPAGATION_BIDIRECTIONAL: 'rshared' } as const;

/** Upstream: generateMountBindings (dockershim helpers.go, v1.20). */
function bindOf({ hostPath = '', containerPath, readonly, selinuxRelabel, propagation = 'PROPAGATION_PRIVATE' }: Mount): string {
  const options = [readonly ? 'ro' : '', selinuxRelabel ? 'Z' : '', propagations[propagation]].filter(Boolean);
  return [hostPath, containerPath, ...(options.length > 0 ? [options.join(',')] : [])].join(':');
}

const isRecursive = (apiVersion: string): boolean => compareApiVersions(apiVersion, recursiveSince) >= 0;

/** What no bind string says: a colon in a path, and read-only without the mounts below. A relabelled one stays a string, as only that can ask for it. */
const isLong = ({ hostPath = '', containerPath, readonly, selinuxRelabel }: Mount, apiVersion: string): boolean =>
  `${hostPath}${containerPath}`.includes(':') || (readonly === true && !selinuxRelabel && isRecursive(apiVersion));

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

/** Since Docker 28 the engine mounts images itself. */
export const canMountImages = (apiVersion: string): boolean => compareApiVersions(apiVersion, imageMountsSince) >= 0;

function imageMountOf(mount: Mount, image: string): DockerMount {
  const subpath = mount.imageSubPath ? { ImageOptions: { Subpath: mount.imageSubPath } } : {};
  return { Type: 'image', Source: image, Target: mount.containerPath, ReadOnly: true, ...subpath };
}

/** Splits mounts into binds and long forms; recursively read-only ones are made elsewhere. */
export function mountsOf(mounts: readonly Mount[] = [], apiVersion = '1.41'): { binds: string[]; mounts: DockerMount[] } {
  const result: { binds: string[]; mounts: DockerMount[] } = { binds: [], mounts: [] };
  for (const mount of mounts) {
    if (mount.recursiveReadOnly) continue;
    const image = mount.image?.imageRef || mount.image?.image;
    if (image) result.mounts.push(imageMountOf(mount, image));
    else if (isLong(mount, apiVersion)) result.mounts.push(longMountOf(mount, apiVersion));
    else result.binds.push(bindOf(mount));
  }
  return result;
}
