/** The feature gates the runtime manager asks about, with each release's defaults. Upstream: pkg/features/kube_features.go. */

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
} as const satisfies Record<string, boolean>;

/** A gate by its upstream name. */
export type RuntimeFeature = keyof typeof defaultsV136;

/** Whether each gate is on. */
export type RuntimeGates = Readonly<Record<RuntimeFeature, boolean>>;

/** What v1.36 starts with. */
export const runtimeGatesV136: RuntimeGates = defaultsV136;

const noneOn = Object.fromEntries(Object.keys(defaultsV136).map((gate) => [gate, false])) as RuntimeGates;

/** What v1.20 starts with: of these only EphemeralContainers exists there, and is off. */
export const runtimeGatesV120: RuntimeGates = noneOn;

/** A release's gates with the given ones in their place; gates of other parts are ignored. */
export const runtimeGates = (defaults: RuntimeGates, overrides: Readonly<Record<string, boolean>> = {}): RuntimeGates => ({ ...defaults, ...overrides });
