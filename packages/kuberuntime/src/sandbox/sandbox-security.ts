/**
 * Builds the security context of a sandbox. Upstream: kuberuntime_sandbox.go generatePodSandboxLinuxConfig (v1.36 and
 * v1.20).
 */
import type { LinuxSandboxSecurityContext, NamespaceOption } from '@podscope/cri';
import { type Pod, type PodSecurityContext, visitContainers } from '@podscope/k8s';

export const hasPrivilegedContainer = ({ spec }: Pod): boolean =>
  [...visitContainers(spec)].some(({ container }) => container.securityContext?.privileged === true);

/** Returns the fields that both releases take from the pod's security context. */
export function fromPodContext(
  sc: PodSecurityContext,
  namespaceOptions: NamespaceOption,
  extraGroups: readonly number[],
): LinuxSandboxSecurityContext {
  const { user = '', role = '', type = '', level = '' } = sc.seLinuxOptions ?? {};
  return {
    namespaceOptions,
    ...(sc.runAsUser === undefined ? {} : { runAsUser: { value: sc.runAsUser } }),
    ...(sc.runAsGroup === undefined ? {} : { runAsGroup: { value: sc.runAsGroup } }),
    supplementalGroups: [
      ...(sc.fsGroup === undefined ? [] : [sc.fsGroup]),
      ...extraGroups,
      ...(sc.supplementalGroups ?? []),
    ],
    ...(sc.seLinuxOptions ? { selinuxOptions: { user, role, type, level } } : {}),
  };
}

/**
 * Returns the policy's name in CRI.
 * @throws Error for an unknown policy
 */
export function supplementalGroupsPolicy(policy: PodSecurityContext['supplementalGroupsPolicy']): 'Merge' | 'Strict' {
  if (policy === 'Merge' || policy === 'Strict') return policy;
  throw new Error(`unsupported supplementalGroupsPolicy: ${String(policy)}`);
}

/**
 * Returns the security context. The sandbox always has the runtime's seccomp profile, so the pod's own profile needs to
 * permit only the system calls of the containers.
 */
export function sandboxSecurityContextV136(
  pod: Pod,
  namespaces: (pod: Pod) => NamespaceOption,
  extraGroups: readonly number[],
): LinuxSandboxSecurityContext {
  const base: LinuxSandboxSecurityContext = {
    privileged: hasPrivilegedContainer(pod),
    seccomp: { profileType: 'RuntimeDefault' },
  };
  const sc = pod.spec.securityContext;
  if (!sc) return base;
  const policy =
    sc.supplementalGroupsPolicy === undefined
      ? {}
      : { supplementalGroupsPolicy: supplementalGroupsPolicy(sc.supplementalGroupsPolicy) };
  return { ...base, ...fromPodContext(sc, namespaces(pod), extraGroups), ...policy };
}
