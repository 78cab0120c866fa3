/**
 * Rejects pods that ask for AppArmor on a node that can't enforce it. Upstream: pkg/security/apparmor,
 * appArmorAdmitHandler (v1.36).
 */
import type { Pod } from '@podscope/k8s';
import type { AdmissionHandler } from './types.ts';

/** The prefix of an annotation that sets a container's profile. The container's name follows the prefix. */
export const appArmorAnnotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** The AppArmor state of the node's kernel. */
export interface AppArmorHost {
  readonly enabled: boolean;
  /** Reads the names of the profiles that are loaded now. */
  readonly loadedProfiles: () => Promise<ReadonlySet<string>>;
}

export const appArmorDisabled = 'AppArmor is not enabled on the host';

/**
 * Returns true for a pod that hasn't started. Only such pods are checked, because a running pod keeps its containers.
 */
export const isPending = ({ status }: Pod): boolean => (status?.phase ?? 'Pending') === 'Pending';

/** True when a field or an annotation asks for a profile other than `Unconfined`. Upstream: isRequired. */
function isRequired({ metadata, spec }: Pod): boolean {
  const profiles = [spec, ...spec.containers, ...(spec.initContainers ?? [])].map(
    ({ securityContext }) => securityContext?.appArmorProfile,
  );
  return (
    profiles.some((profile) => profile !== undefined && profile.type !== 'Unconfined') ||
    Object.entries(metadata.annotations ?? {}).some(
      ([name, profile]) => name.startsWith(appArmorAnnotationPrefix) && profile !== 'unconfined',
    )
  );
}

export const appArmorV136: AdmissionHandler = {
  name: 'appArmor',
  admit: ({ pod, appArmorEnabled }) =>
    appArmorEnabled !== false || !isPending(pod) || !isRequired(pod)
      ? undefined
      : { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${appArmorDisabled}` },
};
