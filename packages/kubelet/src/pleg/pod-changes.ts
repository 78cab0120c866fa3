/**
 * Compares the containers and sandboxes of two relists of a pod. Upstream: computeEvents (pkg/kubelet/pleg/generic.go,
 * v1.36).
 */
import type { RuntimeContainer, RuntimePod } from '@podscope/kuberuntime';
import { generateEvents, type PodLifecycleEventType, plegState } from './events.ts';

/** A container or sandbox whose state has changed. */
export interface ContainerChange {
  readonly object: 'container' | 'sandbox';
  /** The newer record of the object; for a removed object the older one. */
  readonly record: RuntimeContainer;
  readonly from: RuntimeContainer['state'] | 'nonexistent';
  readonly to: RuntimeContainer['state'] | 'nonexistent';
  readonly events: readonly PodLifecycleEventType[];
}

function compare(
  object: ContainerChange['object'],
  older: readonly RuntimeContainer[],
  newer: readonly RuntimeContainer[],
): readonly ContainerChange[] {
  const before = new Map(older.map((record) => [record.id.id, record]));
  const after = new Map(newer.map((record) => [record.id.id, record]));
  const changes: ContainerChange[] = [];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, current] = [before.get(id), after.get(id)];
    const record = current ?? old;
    if (!record) continue;
    const events = generateEvents(plegState(old?.state), plegState(current?.state));
    if (events.length > 0)
      changes.push({ object, record, from: old?.state ?? 'nonexistent', to: current?.state ?? 'nonexistent', events });
  }
  return changes;
}

/** Returns every change of a pod: containers before sandboxes, and older objects before newer ones. */
export const podChanges = (
  older: RuntimePod | undefined,
  newer: RuntimePod | undefined,
): readonly ContainerChange[] => [
  ...compare('container', older?.containers ?? [], newer?.containers ?? []),
  ...compare('sandbox', older?.sandboxes ?? [], newer?.sandboxes ?? []),
];
