/** Converts the cgroup parent for the engine's cgroup driver. */
import type { CgroupDriver } from '@podscope/cri';

/**
 * Returns the path for cgroupfs; for systemd the last element, which must be a slice. A cgroupfs path becomes the slice
 * of the same place. Upstream: generateExpectedCgroupParent (dockershim docker_service.go, v1.20).
 */
export function cgroupParentFor(driver: CgroupDriver, requested = ''): string {
  if (!requested || driver === 'CGROUPFS') return requested;
  const elements = requested.split('/').filter(Boolean);
  const last = elements.at(-1) ?? '';
  if (last.endsWith('.slice')) return last;
  return `${elements.map((element) => element.replaceAll('-', '_')).join('-')}.slice`;
}
