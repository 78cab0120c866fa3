/**
 * Lists the kinds of volumes that this node can mount, with the names of their plugins. Upstream:
 * volume.VolumePluginMgr (pkg/volume, v1.36).
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

/** A kind whose volumes have a directory below the pod's `volumes` directory. */
export type DirectoryKind = keyof typeof plugins;
export type VolumeKind = DirectoryKind | 'hostPath' | 'image';

/** The kinds whose files must not be written to a disk. Their directory is a tmpfs if the node can mount one. */
export const memoryBackedKinds: ReadonlySet<VolumeKind> = new Set<VolumeKind>(['secret', 'downwardAPI', 'projected']);

/**
 * The kinds whose files come from an API object that may change, so each sync of the pod mounts them again. Upstream:
 * RequiresRemount.
 */
const remountedKinds: ReadonlySet<VolumeKind> = new Set<VolumeKind>([
  'configMap',
  'secret',
  'downwardAPI',
  'projected',
]);

const directoryKinds = Object.keys(plugins) as readonly DirectoryKind[];

/** The kinds that this node can mount, as a list for messages. */
export const supportedKinds = [...directoryKinds, 'hostPath', 'image'].join(', ');

/** Returns the kind of a volume; undefined when this node can't mount the volume. */
export function kindOf(volume: Volume): VolumeKind | undefined {
  if (volume.hostPath) return 'hostPath';
  if (volume.image) return 'image';
  return directoryKinds.find((kind) => volume[kind]);
}

/** Returns the spec field that names the kind of an unsupported volume, for messages. */
export const unsupportedKindOf = (volume: Volume): string =>
  Object.keys(volume).find((key) => key !== 'name') ?? 'none';

/** True for a kind whose volumes have a directory below the pod's `volumes` directory. */
export const isDirectoryKind = (kind: VolumeKind): kind is DirectoryKind => kind !== 'hostPath' && kind !== 'image';

/** True for a kind whose files are updated at each sync of the pod. */
export const requiresRemount = (kind: VolumeKind): boolean => remountedKinds.has(kind);

/**
 * Returns the kind to which a plugin's directory name (like `kubernetes.io~secret`) belongs; undefined for an unknown
 * plugin.
 */
export const kindOfPluginDirectory = (name: string): DirectoryKind | undefined =>
  directoryKinds.find((kind) => plugins[kind].replaceAll('/', '~') === name);
