/**
 * Compares the pods that a source delivers with those of its previous delivery. A source always delivers all its pods;
 * the kubelet handles the differences. Upstream: podStorage.merge (pkg/kubelet/config/config.go, v1.36).
 */
import { type Pod, podFirstSeenAnnotation, podMirrorAnnotation, podSourceAnnotation } from '@podscope/k8s';
import { getPodFullName } from '@podscope/kuberuntime';
import { formatMicroTime, type Instant } from '@podscope/trace';
import { statusEqual } from '../util/status-equal.ts';
import type { PodSource } from './pod-source.ts';

/** The kinds of differences. */
export type PodOperation = 'REMOVE' | 'ADD' | 'UPDATE' | 'DELETE' | 'RECONCILE';

/** The order in which the differences of one delivery are sent. */
export const operationOrder: readonly PodOperation[] = ['REMOVE', 'ADD', 'UPDATE', 'DELETE', 'RECONCILE'];

/** A pod in two versions: as its source delivered it, and as the kubelet stores it. */
export interface KnownPod {
  readonly delivered: Pod;
  readonly pod: Pod;
}

export interface MergeResult {
  readonly operations: Readonly<Record<PodOperation, readonly Pod[]>>;
  /** The pods that were dropped because an earlier pod of the same delivery has their full name. */
  readonly duplicates: readonly Pod[];
  /** The source's pods by UID. */
  readonly pods: ReadonlyMap<string, KnownPod>;
}

const localAnnotations = new Set([podSourceAnnotation, podFirstSeenAnnotation, podMirrorAnnotation]);

const comparable = ({ metadata, spec }: Pod): unknown => ({
  spec,
  labels: metadata.labels,
  deletionTimestamp: metadata.deletionTimestamp,
  deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
  annotations: Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => !localAnnotations.has(key)),
  ),
});

const withAnnotations = (pod: Pod, annotations: Readonly<Record<string, string>>): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } },
});

/**
 * Compares a known pod with its new version. Returns the kind of difference and the version to store. Upstream:
 * checkAndUpdatePod.
 */
function compare(existing: Pod, delivered: Pod): { readonly operation: PodOperation | undefined; readonly pod: Pod } {
  if (statusEqual(comparable(existing), comparable(delivered))) {
    if (statusEqual(existing.status, delivered.status)) return { operation: undefined, pod: existing };
    return { operation: 'RECONCILE', pod: { ...existing, status: delivered.status } };
  }
  const seen = existing.metadata.annotations?.[podFirstSeenAnnotation];
  const pod = seen === undefined ? delivered : withAnnotations(delivered, { [podFirstSeenAnnotation]: seen });
  return { operation: delivered.metadata.deletionTimestamp === undefined ? 'UPDATE' : 'DELETE', pod };
}

/** Merges a delivery into the stored pods of its source. Upstream: podStorage.merge. */
export function mergeSource(
  source: PodSource,
  known: ReadonlyMap<string, KnownPod>,
  delivered: readonly Pod[],
  now: Instant,
): MergeResult {
  const operations: Record<PodOperation, Pod[]> = { REMOVE: [], ADD: [], UPDATE: [], DELETE: [], RECONCILE: [] };
  const pods = new Map<string, KnownPod>();
  const names = new Set<string>();
  const duplicates: Pod[] = [];
  for (const raw of delivered) {
    const fullName = getPodFullName(raw);
    if (names.has(fullName)) {
      duplicates.push(raw);
      continue;
    }
    names.add(fullName);
    const existing = known.get(raw.metadata.uid);
    if (existing?.delivered === raw) {
      pods.set(raw.metadata.uid, existing);
      continue;
    }
    const pod = withAnnotations(raw, { [podSourceAnnotation]: source });
    if (existing) {
      const result = compare(existing.pod, pod);
      if (result.operation) operations[result.operation].push(result.pod);
      pods.set(pod.metadata.uid, { delivered: raw, pod: result.pod });
    } else {
      const added = withAnnotations(pod, { [podFirstSeenAnnotation]: formatMicroTime(now) });
      operations.ADD.push(added);
      pods.set(pod.metadata.uid, { delivered: raw, pod: added });
    }
  }
  for (const [uid, { pod }] of known) if (!pods.has(uid)) operations.REMOVE.push(pod);
  return { operations, duplicates, pods };
}
