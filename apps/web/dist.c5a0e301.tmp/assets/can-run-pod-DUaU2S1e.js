var e=`/** Soft admission: a pod that fails it is kept, and asked about again at every sync. Upstream: canRunPod, lifecycle handlers (pkg/kubelet, v1.20). */
import { goQuote, type Pod } from '@podscope/k8s';
import type { Rejection } from './types.ts';

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const isProfile = (profile: string): boolean => profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/');

/** Whether a kernel enforces AppArmor is the runtime's to say when a container starts; here only what no kernel knows is refused. */
export function canRunPodV120({ metadata }: Pod): Rejection | undefined {
  for (const [name, profile] of Object.entries(metadata.annotations ?? {})) {
    if (!name.startsWith(annotationPrefix) || isProfile(profile)) continue;
    return { reason: 'AppArmor', message: \`Cannot enforce AppArmor: invalid AppArmor profile name: \${goQuote(profile)}\` };
  }
  return undefined;
}
`;export{e as default};
//# sourceMappingURL=can-run-pod-DUaU2S1e.js.map