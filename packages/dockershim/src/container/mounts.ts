/** Mounts in Docker's two spellings: a bind string where it can say it, the long form where it cannot. */
import type { Mount } from '@podscope/cri';
import type { DockerMount } from '../docker/create-body.ts';
import { compareApiVersions } from '../docker/transport.ts';

/** Docker 28. */
const imageMountsSince = '1.48';
/** Docker 25: from then on `ro` alone is recursive, which CRI asks for by another field. */
const recursiveSince = '1.44';

const propagations = { PROPAGATION_PRIVATE: '', PROPAGATION_HOST_TO_CONTAINER: 'rslave', PROPAGATION_BIDIRECTIONAL: 'rshared' } as const;

/** Upstream: generateMountBindings (dockershim helpers.go, v1.20). */
function bindOf({ hostPath = '', containerPath, readonly, selinuxRelabel, propagation = 'PROPAGATION_PRIVATE' }: Mount, apiVersion: string): string {
  const readOnlyMode = compareApiVersions(apiVersion, recursiveSince) >= 0 ? 'ro-non-recursive' : 'ro';
  const options = [readonly ? readOnlyMode : '', selinuxRelabel ? 'Z' : '', propagations[propagation]].filter(Boolean);
  return [hostPath, containerPath, ...(options.length > 0 ? [options.join(',')] : [])].join(':');
}

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
      ...(mount.readonly && compareApiVersions(apiVersion, recursiveSince) >= 0 ? { ReadOnlyNonRecursive: true } : {}),
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
    else if (`${mount.hostPath}${mount.containerPath}`.includes(':')) result.mounts.push(longMountOf(mount, apiVersion));
    else result.binds.push(bindOf(mount, apiVersion));
  }
  return result;
}
