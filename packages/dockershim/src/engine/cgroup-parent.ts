/** Converts the cgroup parent of a pod to the form that the engine's cgroup driver expects. */
import type { CgroupDriver } from '@podscope/cri';

/**
 * Returns the path for the driver cgroupfs. For systemd, returns the last element, which must be a slice; a cgroupfs
 * path is converted to the slice at the same place. Upstream: generateExpectedCgroupParent (dockershim
 * docker_service.go, v1.20).
 */
export function cgroupParentFor(driver: CgroupDriver, requested = ''): string {
  if (!requested || driver === 'CGROUPFS') return requested;
  const elements = requested.split('/').filter(Boolean);
  const last = elements.at(-1) ?? '';
  if (last.endsWith('.slice')) return last;
  return `${elements.map((element) => element.replaceAll('-', '_')).join('-')}.slice`;
}
