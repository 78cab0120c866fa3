/**
 * Formats the log message about a pull secret that can't be read. Upstream: Kubelet.getPullSecretsForPod (v1.36 and
 * v1.20).
 */
import type { Pod } from '@podscope/k8s';

export const podOf = ({ metadata: { namespace = '', name } }: Pod): string => `${namespace}/${name}`;

/** Returns the warning of v1.36. */
export const pullSecretWarningV136 = (pod: Pod, secret: string, error: string): string =>
  'Unable to retrieve pull secret, the image pull may not succeed. ' +
  `pod="${podOf(pod)}" secret="${pod.metadata.namespace ?? ''}/${secret}" err="${error}"`;
