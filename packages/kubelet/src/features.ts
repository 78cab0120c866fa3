/**
 * Declares the feature gates that the kubelet evaluates, with the defaults of v1.36. Upstream:
 * pkg/features/kube_features.go.
 */
import { runtimeGatesV136 } from '@podscope/kuberuntime';

const defaultsV136 = {
  ChangeContainerStatusOnKubeletRestart: false,
  ContainerRestartRules: true,
  EphemeralContainers: true,
  ExtendWebSocketsToKubelet: true,
  GracefulNodeShutdown: true,
  InPlacePodLevelResourcesVerticalScaling: true,
  InPlacePodVerticalScaling: true,
  InPlacePodVerticalScalingInitContainers: true,
  NodeDeclaredFeatures: true,
  PLEGOnDemandRelist: true,
  PodLevelResources: true,
  PodObservedGenerationTracking: true,
  PodReadyToStartContainersCondition: true,
  RecursiveReadOnlyMounts: true,
  RestartAllContainersOnContainerExits: true,
  UserNamespacesHostNetworkSupport: false,
} as const;

type KubeletFeature = keyof typeof defaultsV136;

/** Whether each feature gate is enabled. */
export type FeatureGates = Readonly<Record<KubeletFeature, boolean>>;

/** The defaults of v1.36. */
export const featureGatesV136: FeatureGates = defaultsV136;

/**
 * Returns the defaults of a release with the overrides applied. Overrides of other components' gates are ignored.
 * The default release is v1.36.
 */
export const featureGates = (
  overrides: Readonly<Record<string, boolean>> = {},
  defaults: FeatureGates = featureGatesV136,
): FeatureGates => ({
  ...defaults,
  ...overrides,
});

/** Returns the names of the gates that a user can set in a release. In v1.20, only one gate affects this kubelet. */
export const knownFeatureGates = (release: 'v1.36' | 'v1.20'): readonly string[] =>
  release === 'v1.20'
    ? ['EphemeralContainers']
    : [...new Set([...Object.keys(defaultsV136), ...Object.keys(runtimeGatesV136)])].toSorted();
