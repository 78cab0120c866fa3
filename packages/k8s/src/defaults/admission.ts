/** What a server adds to a pod when it is created, beyond the defaults of the API: the work of the standard admission plugins. */

import { getPodQOS } from '../qos.ts';
import type { Pod, Toleration } from '../types.ts';

const NOT_READY_TAINT = 'node.kubernetes.io/not-ready';
const UNREACHABLE_TAINT = 'node.kubernetes.io/unreachable';
const DEFAULT_TOLERATION_SECONDS = 300;

/** The priority classes every cluster has. */
const systemPriorityClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/**
 * Service account, priority and the default tolerations. The volume with the service account's token is not added: a node on its own has no
 * one to sign it.
 * Upstream: admission plugins ServiceAccount, Priority and DefaultTolerationSeconds (v1.36).
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
 * What the same plugins do to an update: the priority stays, default tolerations come back.
 * Upstream: admission plugins Priority and DefaultTolerationSeconds (v1.36).
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
  const missing = [NOT_READY_TAINT, UNREACHABLE_TAINT].filter((taint) => !tolerations.some((toleration) => toleratesNoExecute(toleration, taint)));
  const added = missing.map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: DEFAULT_TOLERATION_SECONDS }));
  return [...tolerations, ...added];
}

function toleratesNoExecute({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}

/**
 * A new pod as it is stored: first generation, and a status that only says Pending and the quality-of-service class. A status sent along is
 * dropped.
 * Upstream: podStrategy.PrepareForCreate (v1.36).
 */
export function preparePodForCreate(pod: Pod): Pod {
  const { status: _status, ...rest } = pod;
  return { ...rest, metadata: { ...pod.metadata, generation: 1 }, status: { phase: 'Pending', qosClass: getPodQOS(rest) } };
}
