/**
 * Computes the names of pod cgroups. Upstream: pkg/kubelet/cm/cgroup_manager_linux.go, pod_container_manager_linux.go
 * (v1.36).
 */
import { getPodQOS, type Pod, type PodQOSClass } from '@podscope/k8s';

export interface CgroupNode {
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** Whether pods have a cgroup parent. */
  readonly cgroupsPerQOS: boolean;
  /** The feature gate PodLevelResources. Default: on. */
  readonly podLevelResources?: boolean;
}

const root = 'kubepods';

const parents: Readonly<Record<PodQOSClass, readonly string[]>> = {
  Guaranteed: [root],
  Burstable: [root, 'burstable'],
  BestEffort: [root, 'besteffort'],
};

/**
 * Returns the systemd path of a slice, for example `/a.slice/a-b.slice`. The name of every slice begins with the name
 * of its parent. Upstream: CgroupName.ToSystemd.
 */
function toSystemd(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.replaceAll('-', '_'));
  return escaped.map((_, index) => `/${escaped.slice(0, index + 1).join('-')}.slice`).join('');
}

/**
 * Returns the literal cgroup path of a pod, or an empty string if the node has no QoS cgroups. Upstream:
 * GetPodCgroupParent.
 */
export function getPodCgroupParent(pod: Pod, { cgroupDriver, cgroupsPerQOS, podLevelResources }: CgroupNode): string {
  if (!cgroupsPerQOS) return '';
  const parts = [...parents[getPodQOS(pod, podLevelResources)], `pod${pod.metadata.uid}`];
  return cgroupDriver === 'systemd' ? toSystemd(parts) : `/${parts.join('/')}`;
}
