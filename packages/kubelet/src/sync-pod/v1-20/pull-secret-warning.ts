/** Formats the warning about a pull secret that can't be read. Upstream: Kubelet.getPullSecretsForPod (v1.20). */
import type { Pod } from '@podscope/k8s';
import { podOf } from '../pull-secret-warning.ts';

/** Returns the warning of v1.20. */
export const pullSecretWarningV120 = (pod: Pod, secret: string, error: string): string =>
  `Unable to get pull secret ${pod.metadata.namespace ?? ''}/${secret} for ${podOf(pod)} due to ${error}.  ` +
  'The image pull may not succeed.';
