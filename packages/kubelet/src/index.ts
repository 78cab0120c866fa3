/** The kubelet: the loop, pod workers, PLEG, status, and what feeds them. */
export { safeSysctlsV136 } from './admission/sysctls.ts';
export type { PodSource } from './config/pod-source.ts';
export { ContainerLogError } from './container/container-logs.ts';
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
export { knownFeatureGates } from './features.ts';
export { defaultImageGCPolicy, type ImageGCPolicy } from './images/image-gc-manager.ts';
export { InterventionError, KubeletInterventions } from './interventions.ts';
export { type ContainerLogRequest, Kubelet } from './kubelet.ts';
export type { Measure } from './measures.ts';
export { PodCache } from './pod-cache.ts';
export { PodManager } from './pod-manager.ts';
export type { PodWorkerState } from './pod-workers/types.ts';
export { kubeletPoints, kubeletPointsOf } from './points.ts';
export { StatusManager } from './status/status-manager.ts';
