/** The feature gates the kubelet asks about, with the defaults of v1.36. Upstream: pkg/features/kube_features.go. */

const defaults = {
  ChangeContainerStatusOnKubeletRestart: false,
  ContainerRestartRules: true,
  InPlacePodLevelResourcesVerticalScaling: true,
  InPlacePodVerticalScaling: true,
  PLEGOnDemandRelist: true,
  PodLevelResources: true,
  PodObservedGenerationTracking: true,
  PodReadyToStartContainersCondition: true,
  RecursiveReadOnlyMounts: true,
  RestartAllContainersOnContainerExits: true,
} as const;

type KubeletFeature = keyof typeof defaults;

/** Whether each gate is on. */
export type FeatureGates = Readonly<Record<KubeletFeature, boolean>>;

/** The release's gates with the given ones in their place; gates of other parts are ignored. */
export const featureGates = (overrides: Readonly<Record<string, boolean>> = {}): FeatureGates => ({ ...defaults, ...overrides });
