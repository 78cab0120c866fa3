/**
 * The kinds of volumes this node can mount, with the names of their plugins. Upstream: volume.VolumePluginMgr
 * (pkg/volume, v1.36).
 */
import type { Volume } from '@podscope/k8s';

/** The plugin names of the kinds that have a directory below the pod's `volumes` directory. */
export const plugins = {
  emptyDir: 'kubernetes.io/empty-dir',
  configMap: 'kubernetes.io/configmap',
  secret: 'kubernetes.io/secret',
  downwardAPI: 'kubernetes.io/downward-api',
  projected: 'kubernetes.io/projected',
} as const;

/** A kind with a directory below the pod's `volumes` directory. */
export type DirectoryKind = keyof typeof plugins;
export type VolumeKind = DirectoryKind | 'hostPath' | 'image';

/** Kinds whose files must not reach a disk: their directory is a tmpfs where the node can mount one. */
export const memoryBackedKinds: ReadonlySet<VolumeKind> = new Set<VolumeKind>(['secret', 'downwardAPI', 'projected']);

/**
 * Kinds whose files follow an API object, so that each sync of the pod mounts them again. Upstream: RequiresRemount.
 */
const remountedKinds: ReadonlySet<VolumeKind> = new Set<VolumeKind>([
  'configMap',
  'secret',
  'downwardAPI',
  'projected',
]);

const directoryKinds = Object.keys(plugins) as readonly DirectoryKind[];

/** The kinds this node can mount, for messages. */
export const supportedKinds = [...directoryKinds, 'hostPath', 'image'].join(', ');

/** Returns the kind of a volume, or undefined for a kind that this node can't mount. */
export function kindOf(volume: Volume): VolumeKind | undefined {
  if (volume.hostPath) return 'hostPath';
  if (volume.image) return 'image';
  return directoryKinds.find((kind) => volume[kind]);
}

/** Returns the field that names the kind of an unsupported volume, for messages. */
export const unsupportedKindOf = (volume: Volume): string =>
  Object.keys(volume).find((key) => key !== 'name') ?? 'none';

/** True for a kind with a directory below the pod's `volumes` directory. */
export const isDirectoryKind = (kind: VolumeKind): kind is DirectoryKind => kind !== 'hostPath' && kind !== 'image';

/** True for a volume whose files are brought up to date at each sync of the pod. */
export const requiresRemount = (kind: VolumeKind): boolean => remountedKinds.has(kind);

/**
 * Returns the kind that a plugin's directory name (`kubernetes.io~secret`) belongs to, or undefined for an unknown
 * plugin.
 */
export const kindOfPluginDirectory = (name: string): DirectoryKind | undefined =>
  directoryKinds.find((kind) => plugins[kind].replaceAll('/', '~') === name);
