/** Exports the kubelet: sync loop, pod workers, PLEG, status manager and the interfaces they need. */

export { nodeDeclaredFeatures } from './admission/declared-features.ts';
export { literalPath, podUIDOf } from './cgroups/literal-path.ts';
export type { PodSource } from './config/pod-source.ts';
export { ContainerLogError } from './container/container-logs.ts';
export { PodCache } from './container/pod-cache.ts';
export { DebugControlError, DebugControls } from './debug-controls.ts';
export type {
  CgroupManager,
  GrpcHealthOutcome,
  GrpcProber,
  HttpProber,
  KubeClient,
  KubeletDependencies,
  NodeConfiguration,
  RestoredBackOff,
  RestoredProbeFailures,
  RestoredStartFailure,
  ServiceAccountToken,
  ServingStatus,
  TcpProber,
  TokenRequest,
} from './dependencies.ts';
export { featureGates, knownFeatureGates } from './features.ts';
export { defaultImageGCPolicy, type ImageGCPolicy } from './images/image-gc-manager.ts';
export { type ContainerLogRequest, Kubelet } from './kubelet.ts';
export { defaultLogRotatePolicy } from './logs/container-log-manager.ts';
export type { Measure } from './metrics/measures.ts';
export type { ShutdownGracePeriods } from './node-shutdown/node-shutdown.ts';
export { PodManager } from './pod/pod-manager.ts';
export type { PodWorkerState } from './pod-workers/types.ts';
export { kubeletProfiles } from './profiles/profiles.ts';
export { StatusManager } from './status/manager/status-manager.ts';
export { getPhase } from './status/phase.ts';
export { ReasonCache } from './sync-pod/reason-cache.ts';
