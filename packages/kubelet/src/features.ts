/**
 * Declares the feature gates that the kubelet evaluates, with the defaults of v1.36. Upstream:
 * pkg/features/kube_features.go.
 */
import { runtimeGatesV136 } from '@podscope/kuberuntime';

const defaultsV136 = {
  ChangeContainerStatusOnKubeletRestart: false,
  ContainerRestartRules: true,
  EphemeralContainers: true,
  InPlacePodLevelResourcesVerticalScaling: true,
  InPlacePodVerticalScaling: true,
  PLEGOnDemandRelist: true,
  PodLevelResources: true,
  PodObservedGenerationTracking: true,
  PodReadyToStartContainersCondition: true,
  RecursiveReadOnlyMounts: true,
  RestartAllContainersOnContainerExits: true,
} as const;

type KubeletFeature = keyof typeof defaultsV136;

/** The state of each gate. */
export type FeatureGates = Readonly<Record<KubeletFeature, boolean>>;

/** The defaults of v1.36. */
export const featureGatesV136: FeatureGates = defaultsV136;

/**
 * Returns the defaults of a release with the overrides applied; gates of other components are ignored. Default: v1.36.
 */
export const featureGates = (
  overrides: Readonly<Record<string, boolean>> = {},
  defaults: FeatureGates = featureGatesV136,
): FeatureGates => ({
  ...defaults,
  ...overrides,
});

/** Returns the names of the gates that can be set in a release. In v1.20 only one gate affects this kubelet. */
export const knownFeatureGates = (release: 'v1.36' | 'v1.20'): readonly string[] =>
  release === 'v1.20'
    ? ['EphemeralContainers']
    : [...new Set([...Object.keys(defaultsV136), ...Object.keys(runtimeGatesV136)])].toSorted();
