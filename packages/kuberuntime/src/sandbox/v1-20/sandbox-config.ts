/** Builds the Linux part of a sandbox's configuration. Upstream: generatePodSandboxLinuxConfig (v1.20). */
import type { LinuxPodSandboxConfig, LinuxSandboxSecurityContext, NamespaceOption } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { RuntimeDependencies } from '../../runtime-dependencies.ts';
import { fromPodContext, hasPrivilegedContainer } from '../sandbox-security.ts';

/** Returns the sysctls with names as written in the spec. */
const sysctlsV120 = ({ spec }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value]));

function sandboxSecurityContextV120(
  pod: Pod,
  namespaces: (pod: Pod) => NamespaceOption,
  extraGroups: readonly number[],
): LinuxSandboxSecurityContext {
  const base: LinuxSandboxSecurityContext = {
    privileged: hasPrivilegedContainer(pod),
    seccomp: { profileType: 'RuntimeDefault' },
    seccompProfilePath: 'runtime/default',
  };
  const sc = pod.spec.securityContext;
  return sc ? { ...base, ...fromPodContext(sc, namespaces(pod), extraGroups) } : base;
}

/** Returns the Linux part of a sandbox's configuration. Upstream: generatePodSandboxLinuxConfig (v1.20). */
export const linuxSandboxV120 = (dependencies: RuntimeDependencies, pod: Pod): LinuxPodSandboxConfig => ({
  cgroupParent: dependencies.helper.getPodCgroupParent(pod),
  securityContext: sandboxSecurityContextV120(
    pod,
    dependencies.profile.namespaces,
    dependencies.helper.getExtraSupplementalGroupsForPod(pod),
  ),
  sysctls: sysctlsV120(pod),
});
