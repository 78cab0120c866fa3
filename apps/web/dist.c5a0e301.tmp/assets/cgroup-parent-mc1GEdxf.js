var e=`/** Names of pod cgroups. Upstream: pkg/kubelet/cm/cgroup_manager_linux.go, pod_container_manager_linux.go (v1.36). */
import { getPodQOS, type Pod, type PodQOSClass } from '@podscope/k8s';

export interface CgroupNode {
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** False: pods get no cgroup parent. */
  readonly cgroupsPerQOS: boolean;
}

const root = 'kubepods';

const parents: Readonly<Record<PodQOSClass, readonly string[]>> = {
  Guaranteed: [root],
  Burstable: [root, 'burstable'],
  BestEffort: [root, 'besteffort'],
};

/** systemd spells a path out in every slice: \`/a.slice/a-b.slice\`. Upstream: CgroupName.ToSystemd. */
function toSystemd(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.replaceAll('-', '_'));
  return escaped.map((_, index) => \`/\${escaped.slice(0, index + 1).join('-')}.slice\`).join('');
}

/** The literal cgroup of a pod; empty when the node keeps none. Upstream: GetPodCgroupParent. */
export function getPodCgroupParent(pod: Pod, { cgroupDriver, cgroupsPerQOS }: CgroupNode): string {
  if (!cgroupsPerQOS) return '';
  const parts = [...parents[getPodQOS(pod)], \`pod\${pod.metadata.uid}\`];
  return cgroupDriver === 'systemd' ? toSystemd(parts) : \`/\${parts.join('/')}\`;
}
`;export{e as default};
//# sourceMappingURL=cgroup-parent-mc1GEdxf.js.map