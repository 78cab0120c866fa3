/**
 * Computes the namespaces that a pod's containers share with the node or with each other. Upstream: kuberuntime/util
 * NamespacesForPod (v1.36 and v1.20).
 */
import type { NamespaceOption } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';

/** Returns the namespace options of a pod. Upstream: namespacesForPod (v1.20). */
export const sharedNamespaces = ({ spec }: Pod): NamespaceOption => ({
  network: spec.hostNetwork ? 'NODE' : 'POD',
  ipc: spec.hostIPC ? 'NODE' : 'POD',
  pid: spec.hostPID ? 'NODE' : spec.shareProcessNamespace ? 'POD' : 'CONTAINER',
});

/**
 * Returns the namespace options of a pod. Upstream: NamespacesForPod (v1.36).
 * @throws Error for a pod with its own user namespace, which this node doesn't support
 */
export function namespacesForPodV136(pod: Pod): NamespaceOption {
  if (pod.spec.hostUsers === false)
    throw new Error('the pod requests a user namespace (hostUsers: false), which this node does not support');
  return { ...sharedNamespaces(pod), usernsOptions: { mode: 'NODE' } };
}
