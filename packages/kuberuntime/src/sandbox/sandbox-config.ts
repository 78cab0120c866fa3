/** What the runtime is told of a sandbox. Upstream: kuberuntime_sandbox.go generatePodSandboxConfig (v1.36 and v1.20). */
import type { LinuxPodSandboxConfig, PodSandboxConfig } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { overheadResources, sandboxResources } from '../container/linux-resources.ts';
import { getNodenameForKernel } from '../helper/hostname.ts';
import { newPodLabels } from '../labels.ts';
import { buildPodLogsDirectory } from '../log-paths.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { makePortMappings } from './port-mappings.ts';
import { sandboxSecurityContextV120, sandboxSecurityContextV136 } from './sandbox-security.ts';
import { sysctlsV120, sysctlsV136 } from './sysctls.ts';

/**
 * The whole configuration for one attempt.
 * @throws Error when the pod's names or DNS settings can't be had
 */
export async function generatePodSandboxConfig(ctx: Context, parts: RuntimeParts, pod: Pod, attempt: number): Promise<PodSandboxConfig> {
  const { helper, podLogsDir, profile } = parts;
  const { metadata, spec } = pod;
  const dnsConfig = await helper.getPodDNS(ctx, pod);
  const hostname = spec.hostNetwork ? '' : getNodenameForKernel(helper.generatePodHostNameAndDomain(pod), spec.setHostnameAsFQDN);
  return {
    metadata: { name: metadata.name, uid: metadata.uid, namespace: metadata.namespace ?? '', attempt },
    hostname,
    logDirectory: buildPodLogsDirectory(podLogsDir, pod),
    dnsConfig,
    portMappings: makePortMappings(pod),
    labels: newPodLabels(pod),
    annotations: metadata.annotations ?? {},
    linux: profile.linuxSandbox(parts, pod),
  };
}

/** Upstream: generatePodSandboxLinuxConfig, applySandboxResources (v1.36). */
export const linuxSandboxV136 = (parts: RuntimeParts, pod: Pod): LinuxPodSandboxConfig => ({
  cgroupParent: parts.helper.getPodCgroupParent(pod),
  securityContext: sandboxSecurityContextV136(pod, parts.profile.namespaces, parts.helper.getExtraSupplementalGroupsForPod(pod)),
  sysctls: sysctlsV136(pod),
  overhead: overheadResources(parts, pod),
  resources: sandboxResources(parts, pod),
});

/** Upstream: generatePodSandboxLinuxConfig (v1.20). */
export const linuxSandboxV120 = (parts: RuntimeParts, pod: Pod): LinuxPodSandboxConfig => ({
  cgroupParent: parts.helper.getPodCgroupParent(pod),
  securityContext: sandboxSecurityContextV120(pod, parts.profile.namespaces, parts.helper.getExtraSupplementalGroupsForPod(pod)),
  sysctls: sysctlsV120(pod),
});
