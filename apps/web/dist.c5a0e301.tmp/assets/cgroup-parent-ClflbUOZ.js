var e=`/** The cgroup parent in the form that the engine's cgroup driver takes. */
import type { CgroupDriver } from '@podscope/cri';

/**
 * cgroupfs takes the path as it is; systemd takes the last path element, which must be a slice. A path made for cgroupfs becomes the
 * slice that systemd would give that place. Upstream: generateExpectedCgroupParent (dockershim docker_service.go, v1.20).
 */
export function cgroupParentFor(driver: CgroupDriver, requested = ''): string {
  if (!requested || driver === 'CGROUPFS') return requested;
  const elements = requested.split('/').filter(Boolean);
  const last = elements.at(-1) ?? '';
  if (last.endsWith('.slice')) return last;
  return \`\${elements.map((element) => element.replaceAll('-', '_')).join('-')}.slice\`;
}
`;export{e as default};
//# sourceMappingURL=cgroup-parent-ClflbUOZ.js.map