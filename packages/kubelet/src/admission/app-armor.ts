/**
 * Rejects pods that ask for AppArmor on a node that can't enforce it. Upstream: pkg/security/apparmor,
 * appArmorAdmitHandler (v1.36).
 */
import { type AppArmorProfile, type Container, goQuote, type Pod, visitContainers } from '@podscope/k8s';
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

const unconfined = 'unconfined';

/**
 * True when an annotation asks for a profile other than `unconfined`. Upstream reads the annotations in random order
 * and judges by the first one with the prefix; here, any of them counts. Upstream: isRequired (v1.20 and v1.36).
 */
export const hasAppArmorAnnotation = (annotations: Readonly<Record<string, string>>): boolean =>
  Object.entries(annotations).some(
    ([name, profile]) => name.startsWith(appArmorAnnotationPrefix) && profile !== unconfined,
  );

/** True when a field or an annotation asks for a profile other than `Unconfined`. Upstream: isRequired. */
function isRequired({ metadata, spec }: Pod): boolean {
  const contexts = [spec, ...containersOf(spec)].map(({ securityContext }) => securityContext?.appArmorProfile);
  return (
    contexts.some((profile) => profile !== undefined && profile.type !== 'Unconfined') ||
    hasAppArmorAnnotation(metadata.annotations ?? {})
  );
}

const containersOf = (spec: Pod['spec']): readonly Container[] =>
  Array.from(visitContainers(spec), ({ container }) => container);

/** Returns a container's profile: that of its own field, of its annotation, or of the pod. Upstream: GetProfile. */
function profileOf({ metadata, spec }: Pod, { name, securityContext }: Container): AppArmorProfile | undefined {
  return (
    securityContext?.appArmorProfile ??
    fromAnnotation(metadata.annotations?.[`${appArmorAnnotationPrefix}${name}`]) ??
    spec.securityContext?.appArmorProfile
  );
}

/** Upstream: getProfileFromPodAnnotations. */
function fromAnnotation(value: string | undefined): AppArmorProfile | undefined {
  if (value === 'runtime/default') return { type: 'RuntimeDefault' };
  if (value === unconfined) return { type: 'Unconfined' };
  const prefix = 'localhost/';
  return value?.startsWith(prefix) ? { type: 'Localhost', localhostProfile: value.slice(prefix.length) } : undefined;
}

const isNameless = (profile: AppArmorProfile): boolean =>
  profile.type === 'Localhost' && (profile.localhostProfile ?? '').trim() === '';

/** Returns the text of upstream's generated AppArmorProfile.String. */
const formatProfile = ({ type, localhostProfile }: AppArmorProfile): string =>
  `&AppArmorProfile{Type:${type},LocalhostProfile:${localhostProfile === undefined ? 'nil' : `*${localhostProfile}`},}`;

/** Returns why the pod's profiles can't be enforced; undefined when they can. Upstream: validator.Validate. */
function unenforceable(pod: Pod, enabled: boolean | undefined): string | undefined {
  if (!isRequired(pod)) return undefined;
  if (enabled === false) return appArmorDisabled;
  for (const container of containersOf(pod.spec)) {
    const profile = profileOf(pod, container);
    if (profile && isNameless(profile))
      return `invalid empty AppArmor profile name: ${goQuote(formatProfile(profile))}`;
  }
  return undefined;
}

export const appArmorV136: AdmissionHandler = {
  name: 'appArmor',
  admit: ({ pod, appArmorEnabled }) => {
    const text = isPending(pod) ? unenforceable(pod, appArmorEnabled) : undefined;
    return text === undefined ? undefined : { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${text}` };
  },
};
