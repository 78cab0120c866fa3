/**
 * Defines the feature gates that the runtime manager reads and their defaults in each release. Upstream:
 * pkg/features/kube_features.go.
 */

const defaultsV136 = {
  ContainerRestartRules: true,
  ContainerStopSignals: false,
  EphemeralContainers: true,
  ImageVolume: true,
  InPlacePodLevelResourcesVerticalScaling: true,
  InPlacePodVerticalScaling: true,
  InPlacePodVerticalScalingInitContainers: true,
  KubeletEnsureSecretPulledImages: true,
  PodLevelResources: true,
  RestartAllContainersOnContainerExits: true,
  SupplementalGroupsPolicy: true,
} as const satisfies Record<string, boolean>;

/** A gate by its upstream name. */
export type RuntimeFeature = keyof typeof defaultsV136;

/** Whether each gate is enabled. */
export type RuntimeGates = Readonly<Record<RuntimeFeature, boolean>>;

/** The defaults of v1.36. */
export const runtimeGatesV136: RuntimeGates = defaultsV136;

/**
 * Returns the gates of a release with the overrides applied. Overrides of gates that the runtime manager doesn't read
 * are ignored.
 */
export const runtimeGates = (
  defaults: RuntimeGates,
  overrides: Readonly<Record<string, boolean>> = {},
): RuntimeGates => ({ ...defaults, ...overrides });
