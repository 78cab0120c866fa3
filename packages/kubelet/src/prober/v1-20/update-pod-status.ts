/**
 * Sets `started` and `ready` in a status from probe results, in v1.20. Upstream: prober manager UpdatePodStatus
 * (pkg/kubelet/prober/prober_manager.go, v1.20).
 */
import type { PodStatus as ApiPodStatus, ContainerStatus, Pod } from '@podscope/k8s';
import { parseContainerID } from '@podscope/kuberuntime';
import type { ProbeState } from '../update-pod-status.ts';

/**
 * Returns the status in which `started` and `ready` of containers, and `ready` of init containers, come from the probe
 * results.
 */
export function updatePodStatusV120({ metadata }: Pod, status: ApiPodStatus, probes: ProbeState): ApiPodStatus {
  const probed = (container: ContainerStatus): ContainerStatus => {
    const id = container.containerID ? parseContainerID(container.containerID) : undefined;
    if (!container.state?.running || !id) return { ...container, started: false };
    const says = (type: 'startup' | 'readiness'): boolean => {
      const result = probes.result(type, id);
      return result === undefined ? !probes.hasWorker(type, metadata.uid, container.name) : result === 'success';
    };
    const started = says('startup');
    return { ...container, started, ...(started ? { ready: says('readiness') } : {}) };
  };
  const initContainer = (container: ContainerStatus): ContainerStatus => ({
    ...container,
    ready: container.ready || container.state?.terminated?.exitCode === 0,
  });
  return {
    ...status,
    ...(status.containerStatuses ? { containerStatuses: status.containerStatuses.map(probed) } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: status.initContainerStatuses.map(initContainer) } : {}),
  };
}
