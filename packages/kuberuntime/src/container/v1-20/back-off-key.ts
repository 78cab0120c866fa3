/** Computes the key of a container's back-off. Upstream: kuberuntime_manager.go getStableKey (v1.20). */
import type { Container, Pod } from '@podscope/k8s';
import { getPodFullName } from '../../runtime.ts';
import { formatHash } from '../container-hash.ts';
import { hashContainerV120 } from './container-hash.ts';

/**
 * Returns the key of a container's back-off. Any edit of the container changes the key and so resets the back-off.
 * Upstream: getStableKey (v1.20).
 */
export const backOffKeyV120 = (pod: Pod, container: Container): string =>
  `${getPodFullName(pod)}_${pod.metadata.uid}_${container.name}_${formatHash(hashContainerV120(container))}`;
