/**
 * Converts between the parts of a cgroup's name and its path. Upstream: CgroupName.ToSystemd, ToCgroupfs,
 * ParseSystemdToCgroupName (pkg/kubelet/cm, v1.36).
 */

export type CgroupDriver = 'cgroupfs' | 'systemd';

/**
 * Returns the path of a cgroup, for example `/kubepods/burstable`; with systemd
 * `/kubepods.slice/kubepods-burstable.slice`.
 */
export function literalPath(driver: CgroupDriver, parts: readonly string[]): string {
  if (driver === 'cgroupfs') return `/${parts.join('/')}`;
  // A dash separates levels in the name of a slice, so a dash inside a part is written as an underscore.
  const escaped = parts.map((part) => part.replaceAll('-', '_'));
  return escaped.map((_, index) => `/${escaped.slice(0, index + 1).join('-')}.slice`).join('');
}

/** Returns the UID of the pod that a cgroup path belongs to; undefined for a path that isn't a pod's. */
export function podUIDOf(path: string): string | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last.startsWith('pod')) return last.slice('pod'.length);
  const slice = /^kubepods(?:-[a-z]+)?-pod(.+)\.slice$/.exec(last)?.[1];
  return slice?.replaceAll('_', '-');
}
