/** Computes the content of a downward API file: a field of the pod, or a resource of one of its containers. */
import { type DownwardAPIVolumeFile, extractFieldPathAsString, type Pod, type ResourceList } from '@podscope/k8s';
import { resourceFieldValue } from '@podscope/kuberuntime';

/**
 * Returns the content of the file. Upstream: CollectData (pkg/volume/downwardapi, v1.36).
 * @throws Error for a field, resource or container that doesn't exist
 */
export function downwardValue(
  pod: Pod,
  { path, fieldRef, resourceFieldRef }: DownwardAPIVolumeFile,
  allocatable: ResourceList,
): string {
  if (fieldRef) return extractFieldPathAsString(pod, fieldRef.fieldPath);
  if (!resourceFieldRef)
    throw new Error(`downward API file ${path} refers to nothing: it needs fieldRef or resourceFieldRef`);
  const container = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(
    ({ name }) => name === resourceFieldRef.containerName,
  );
  if (!container) throw new Error(`container ${resourceFieldRef.containerName ?? ''} not found`);
  return resourceFieldValue(pod, container, resourceFieldRef, allocatable);
}
