/**
 * Builds the CRI configuration of a sandbox. Upstream: kuberuntime_sandbox.go generatePodSandboxConfig (v1.36 and
 * v1.20).
 */
import type { LinuxPodSandboxConfig, PodSandboxConfig } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { overheadResources, sandboxResources } from '../container/linux-resources.ts';
import { getNodenameForKernel } from '../helper/hostname.ts';
import { newPodLabels } from '../labels.ts';
import { buildPodLogsDirectory } from '../log-paths.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { makePortMappings } from './port-mappings.ts';
import { sandboxSecurityContextV136 } from './sandbox-security.ts';
import { sysctlsV136 } from './sysctls.ts';

/**
 * Returns the configuration for one attempt.
 * @throws Error when the pod's host name or DNS settings can't be determined
 */
export async function generatePodSandboxConfig(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  attempt: number,
): Promise<PodSandboxConfig> {
  const { helper, podLogsDir, profile } = dependencies;
  const { metadata, spec } = pod;
  const dnsConfig = await helper.getPodDNS(ctx, pod);
  const hostname = spec.hostNetwork
    ? ''
    : getNodenameForKernel(helper.generatePodHostNameAndDomain(pod), spec.setHostnameAsFQDN);
  const config: PodSandboxConfig = {
    metadata: { name: metadata.name, uid: metadata.uid, namespace: metadata.namespace ?? '', attempt },
    hostname,
    logDirectory: buildPodLogsDirectory(podLogsDir, pod),
    dnsConfig,
    portMappings: makePortMappings(pod),
    labels: newPodLabels(pod),
    annotations: metadata.annotations ?? {},
    linux: profile.linuxSandbox(dependencies, pod),
  };
  ctx.tracer.decide(
    ctx,
    'generatePodSandboxConfig',
    () => ({
      attempt,
      dns: dnsConfig,
      portMappings: config.portMappings,
      cgroupParent: config.linux?.cgroupParent,
      namespaces: config.linux?.securityContext?.namespaceOptions,
    }),
    spec.hostNetwork ? "the node's host name and network" : `host name ${hostname}`,
    false,
  );
  return config;
}

/**
 * Returns the Linux part of a sandbox's configuration. Upstream: generatePodSandboxLinuxConfig, applySandboxResources
 * (v1.36).
 */
export const linuxSandboxV136 = (dependencies: RuntimeDependencies, pod: Pod): LinuxPodSandboxConfig => ({
  cgroupParent: dependencies.helper.getPodCgroupParent(pod),
  securityContext: sandboxSecurityContextV136(
    pod,
    dependencies.profile.namespaces,
    dependencies.helper.getExtraSupplementalGroupsForPod(pod),
  ),
  sysctls: sysctlsV136(pod),
  overhead: overheadResources(dependencies, pod),
  resources: sandboxResources(dependencies, pod),
});
