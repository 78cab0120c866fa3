/** Exports the generic runtime manager: SyncPod and everything that it calls. Upstream: pkg/kubelet/kuberuntime. */

export {
  containerShouldRestart,
  findMatchingRestartRule,
  shouldContainerBeRestarted,
} from './compute-pod-actions/restart-predicates.ts';
export { milliCPUToShares } from './container/cpu.ts';
export { Backoff, type BackoffEntry, type BackoffOptions } from './flowcontrol/backoff.ts';
export { getPodCgroupParent } from './helper/cgroup-parent.ts';
export { type DNSNode, type DNSProfile, getPodDNS, parseResolvConf } from './helper/dns.ts';
export {
  type EnvironmentNode,
  type EnvironmentRequest,
  type EnvironmentSources,
  type EnvironmentVariable,
  makeEnvironmentVariables,
} from './helper/environment.ts';
export type { HelperProfile } from './helper/helper-profile.ts';
export { generatePodHostNameAndDomain, getNodenameForKernel, type PodHostname } from './helper/hostname.ts';
export { managedHostsFileContent, nodeHostsFileContent } from './helper/hosts-file.ts';
export {
  type ImageVolumes,
  type MountedVolume,
  type MountsRequest,
  makeMounts,
  resolveRecursiveReadOnly,
} from './helper/mounts.ts';
export { resourceFieldValue } from './helper/resource-field.ts';
export { NodeRuntimeHelper, type RuntimeHelperDependencies, type RuntimeHelperNode } from './helper/runtime-helper.ts';
export { serviceEnvironment } from './helper/service-environment.ts';
export type { ImagePullOptions } from './images/puller.ts';
export { containerInfoFromLabels, podUIDLabel } from './labels.ts';
export { httpGetRequest, resolveContainerPort } from './lifecycle/http-get-request.ts';
export { buildPodLogsDirectory } from './log-paths.ts';
export { KubeGenericRuntimeManager, type RuntimeManagerDependencies } from './manager.ts';
export { MemoryOS } from './memory-os.ts';
export { type RuntimeFeature, type RuntimeGates, runtimeGates, runtimeGatesV136 } from './profiles/gates.ts';
export { profileV120 } from './profiles/v1-20/profile.ts';
export { profileV136 } from './profiles/v1-36/profile.ts';
export { recognisedContainer, recognisedSandbox } from './recognition.ts';
export type { PodCgroupConfig, PodCgroups } from './resize/pod-cgroups.ts';
export { resourceConfigForPod } from './resize/pod-resource-config.ts';
export * from './runtime.ts';
export type { HookHttpClient, Profile } from './runtime-dependencies.ts';
export type { RuntimeNode } from './runtime-node.ts';
export { podSandboxChanged, type SandboxChange } from './sandbox/pod-sandbox-changed.ts';
export { toContainerResources, toStatus } from './status/convert.ts';
export { minBackoffExpiration, PodSyncResult, type SyncAction, SyncError, SyncResult } from './sync/sync-result.ts';
