/** Builds the security context of a container. Upstream: kuberuntime/security_context.go (v1.20). */
import type { LinuxContainerSecurityContext, SecurityProfile } from '@podscope/cri';
import type { SecurityContext } from '@podscope/k8s';
import { appArmorAnnotation, common, isUnmasked, type SecurityRequest } from '../security-context.ts';

const maskedV120 = [
  '/proc/acpi',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
];

const readonlyV120 = ['/proc/asound', '/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** Returns the seccomp profile. A local profile without a name is ignored. Upstream: fieldSeccompProfile (v1.20). */
function seccompV120({ pod, container, node }: SecurityRequest): SecurityProfile {
  const profile = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (profile?.type === 'RuntimeDefault') return { profileType: 'RuntimeDefault' };
  if (profile?.type === 'Localhost' && profile.localhostProfile) {
    return { profileType: 'Localhost', localhostRef: `${node.seccompProfileRoot}/${profile.localhostProfile}` };
  }
  return { profileType: 'Unconfined' };
}

const containerSeccompAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

const podSeccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';

/**
 * Returns the path of the seccomp profile from the first of these that is set: the container's field, its annotation,
 * the pod's field, the pod's annotation. Upstream: getSeccompProfilePath (v1.20).
 */
function seccompPathV120({ pod, container, node }: SecurityRequest): string {
  const fromField = (profile: SecurityContext['seccompProfile']): string => {
    if (profile?.type === 'RuntimeDefault') return 'runtime/default';
    if (profile?.type === 'Unconfined') return 'unconfined';
    return profile?.localhostProfile ? `localhost/${node.seccompProfileRoot}/${profile.localhostProfile}` : '';
  };
  const fromAnnotation = (text: string): string =>
    text.startsWith('localhost/') ? `localhost/${node.seccompProfileRoot}/${text.slice('localhost/'.length)}` : text;
  const annotations = pod.metadata.annotations ?? {};
  const own = container.securityContext?.seccompProfile;
  if (own) return fromField(own);
  const ownAnnotation = annotations[containerSeccompAnnotation + container.name];
  if (ownAnnotation) return fromAnnotation(ownAnnotation);
  const ofPod = pod.spec.securityContext?.seccompProfile;
  if (ofPod) return fromField(ofPod);
  const podAnnotation = annotations[podSeccompAnnotation];
  return podAnnotation ? fromAnnotation(podAnnotation) : '';
}

/** Returns the security context of a container for CRI. Upstream: determineEffectiveSecurityContext (v1.20). */
export function containerSecurityContextV120(request: SecurityRequest): LinuxContainerSecurityContext {
  const { pod, container } = request;
  return {
    ...common(request),
    maskedPaths: isUnmasked(container) ? [] : maskedV120,
    readonlyPaths: isUnmasked(container) ? [] : readonlyV120,
    seccomp: seccompV120(request),
    seccompProfilePath: seccompPathV120(request),
    apparmorProfile: pod.metadata.annotations?.[appArmorAnnotation + container.name] ?? '',
  };
}
