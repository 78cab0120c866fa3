/** The feature gates the kubelet asks about, with each release's defaults. Upstream: pkg/features/kube_features.go. */
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

/** Whether each gate is on. */
export type FeatureGates = Readonly<Record<KubeletFeature, boolean>>;

/** What v1.36 starts with. */
export const featureGatesV136: FeatureGates = defaultsV136;

/** What v1.20 starts with: of these none exists there, and a restarted kubelet judges its containers anew, as the one with a name says. */
export const featureGatesV120: FeatureGates = {
  ...(Object.fromEntries(Object.keys(defaultsV136).map((gate) => [gate, false])) as FeatureGates),
  ChangeContainerStatusOnKubeletRestart: true,
};

/** A release's gates with the given ones in their place; gates of other parts are ignored. Default: v1.36. */
export const featureGates = (overrides: Readonly<Record<string, boolean>> = {}, defaults: FeatureGates = featureGatesV136): FeatureGates => ({
  ...defaults,
  ...overrides,
});

/** Names of the gates that can be set in a release; of v1.20's only this one bears on what is done here. */
export const knownFeatureGates = (release: 'v1.36' | 'v1.20'): readonly string[] =>
  release === 'v1.20' ? ['EphemeralContainers'] : [...new Set([...Object.keys(defaultsV136), ...Object.keys(runtimeGatesV136)])].toSorted();
