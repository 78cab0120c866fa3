/**
 * Sets the fields of a new pod that the API server's standard admission plugins set, in addition to the API's defaults.
 * Upstream: admission plugins ServiceAccount, Priority and DefaultTolerationSeconds (v1.36).
 */

import { getPodQOS } from '../resources/qos.ts';
import type { Pod, Toleration } from '../types.ts';

const NOT_READY_TAINT = 'node.kubernetes.io/not-ready';
const UNREACHABLE_TAINT = 'node.kubernetes.io/unreachable';
const DEFAULT_TOLERATION_SECONDS = 300;

/** The priority classes that every cluster has. */
const systemPriorityClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/**
 * Returns the pod with service account, priority and default tolerations. Doesn't add a volume for the token of the
 * service account, because a standalone node can't sign a token. Upstream: admission plugins ServiceAccount, Priority
 * and DefaultTolerationSeconds (v1.36).
 */
export function admissionDefaults(pod: Pod): Pod {
  const { spec, metadata } = pod;
  const serviceAccountName = spec.serviceAccountName || 'default';
  return {
    ...pod,
    metadata: { ...metadata, namespace: metadata.namespace || 'default' },
    spec: {
      ...spec,
      serviceAccountName,
      serviceAccount: serviceAccountName,
      priority: spec.priority ?? systemPriorityClasses[spec.priorityClassName ?? ''] ?? 0,
      preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority',
      tolerations: defaultTolerations(spec.tolerations ?? []),
    },
  };
}

/**
 * Returns an updated pod with the previous priority and the default tolerations. Upstream: admission plugins Priority
 * and DefaultTolerationSeconds (v1.36).
 */
export function admissionUpdateDefaults(next: Pod, current: Pod): Pod {
  const { spec } = next;
  const { priority, preemptionPolicy } = current.spec;
  return {
    ...next,
    spec: {
      ...spec,
      ...(spec.priority === undefined && priority !== undefined ? { priority } : {}),
      ...(spec.preemptionPolicy === undefined && preemptionPolicy !== undefined ? { preemptionPolicy } : {}),
      tolerations: defaultTolerations(spec.tolerations ?? []),
    },
  };
}

function defaultTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  const missing = [NOT_READY_TAINT, UNREACHABLE_TAINT].filter(
    (taint) => !tolerations.some((toleration) => toleratesNoExecute(toleration, taint)),
  );
  const added = missing.map(
    (key): Toleration => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: DEFAULT_TOLERATION_SECONDS,
    }),
  );
  return [...tolerations, ...added];
}

function toleratesNoExecute({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}

/**
 * Returns a new pod as the API stores it: with generation 1, and a status that has only the phase Pending and the QoS
 * class. A status in the request is dropped. Upstream: podStrategy.PrepareForCreate (v1.36).
 */
export function preparePodForCreate(pod: Pod): Pod {
  const { status: _status, ...rest } = pod;
  return {
    ...rest,
    metadata: { ...pod.metadata, generation: 1 },
    status: { phase: 'Pending', qosClass: getPodQOS(rest) },
  };
}

/**
 * Returns the pod without `spec.resources`, unless the stored pod has them. Used if the feature gate PodLevelResources
 * is off. Upstream: dropDisabledPodLevelResources (pkg/api/pod, v1.36).
 */
export function dropPodLevelResources(pod: Pod, stored?: Pod): Pod {
  if (pod.spec.resources === undefined || stored?.spec.resources !== undefined) return pod;
  const { resources: _resources, ...spec } = pod.spec;
  return { ...pod, spec };
}
