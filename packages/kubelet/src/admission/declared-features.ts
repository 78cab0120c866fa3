/**
 * Compares the features that a pod needs with those that the node declares in its status. Upstream: component-helpers
 * nodedeclaredfeatures, declaredFeaturesAdmitHandler (pkg/kubelet/lifecycle/handlers.go, v1.36).
 */
import { deepEqual } from '@podscope/base';
import { isRestartableInitContainer, type Pod } from '@podscope/k8s';
import type { FeatureGates } from '../features.ts';
import type { AdmissionHandler } from './types.ts';

/** A feature that the node declares if its feature gate is on. The feature has the name of the gate. */
interface Feature {
  readonly gate: keyof FeatureGates;
  /** True when the container runtime must support the feature as well. No runtime here does. */
  readonly needsRuntime?: true;
  /** Returns true for a pod that needs the feature to run. */
  readonly forPod?: (pod: Pod) => boolean;
  /** Returns true for a change that needs the feature. */
  readonly forUpdate?: (before: Pod, after: Pod) => boolean;
}

const restartsAll = ({ spec }: Pod): boolean =>
  [...spec.containers, ...(spec.initContainers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );

const resizesInitContainer = (before: Pod, after: Pod): boolean =>
  (before.spec.initContainers ?? []).some(
    (container, index) =>
      !isRestartableInitContainer(container) &&
      !deepEqual(container.resources, after.spec.initContainers?.[index]?.resources),
  );

/** All features of v1.36 in the order of their names. Upstream: features.AllFeatures. */
const features: readonly Feature[] = [
  { gate: 'ExtendWebSocketsToKubelet' },
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    forUpdate: (before, after) => !deepEqual(before.spec.resources, after.spec.resources),
  },
  { gate: 'InPlacePodVerticalScalingInitContainers', forUpdate: resizesInitContainer },
  { gate: 'RestartAllContainersOnContainerExits', forPod: restartsAll },
  {
    gate: 'UserNamespacesHostNetworkSupport',
    needsRuntime: true,
    forPod: ({ spec }) => spec.hostNetwork === true && spec.hostUsers === false,
  },
];

/**
 * Returns the features for `status.declaredFeatures` of the node; undefined when the feature gate NodeDeclaredFeatures
 * is off. Upstream: discoverNodeDeclaredFeatures.
 */
export const nodeDeclaredFeatures = (gates: FeatureGates): readonly string[] | undefined =>
  gates.NodeDeclaredFeatures
    ? features.flatMap(({ gate, needsRuntime }) => (gates[gate] && !needsRuntime ? [gate] : []))
    : undefined;

const textOf = (missing: readonly string[]): string =>
  `Pod requires node features that are not available: ${missing.join(', ')}`;

/**
 * Returns the message of the event `FailedNodeDeclaredFeaturesCheck` when a change of a pod needs features that the
 * node doesn't declare; otherwise undefined. Upstream: HandlePodUpdates (v1.36).
 */
export function unsupportedUpdate(
  before: Pod,
  after: Pod,
  declared: readonly string[] | undefined,
): string | undefined {
  if (!declared) return undefined;
  const missing = features.flatMap(({ gate, forUpdate }) =>
    forUpdate?.(before, after) && !declared.includes(gate) ? [gate] : [],
  );
  return missing.length > 0 ? textOf(missing) : undefined;
}

const neededBy = (pod: Pod): readonly string[] => features.flatMap(({ gate, forPod }) => (forPod?.(pod) ? [gate] : []));

/** Rejects pods that need a feature that the node doesn't declare. */
export const declaredFeaturesV136: AdmissionHandler = {
  name: 'declaredFeatures',
  applies: ({ pod, declaredFeatures }) => declaredFeatures !== undefined && neededBy(pod).length > 0,
  admit: ({ pod, declaredFeatures = [] }) => {
    const missing = neededBy(pod).filter((feature) => !declaredFeatures.includes(feature));
    return missing.length > 0 ? { reason: 'PodFeatureUnsupported', message: textOf(missing) } : undefined;
  },
};
