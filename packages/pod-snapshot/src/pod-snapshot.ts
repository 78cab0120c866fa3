/** Defines a snapshot: a pod and its events at one instant, as kubectl, a live cluster or a run shows them. */
import type { Pod } from '@podscope/k8s';
import { type Instant, instant } from '@podscope/trace';

/** A Kubernetes event about a pod. */
export interface SnapshotEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The name of the container in the event's field path. */
  readonly container: string | undefined;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
}

/** A pod with its events at one point in time. */
export interface PodSnapshot {
  readonly pod: Pod;
  /** The events, the oldest first. */
  readonly events: readonly SnapshotEvent[];
  /** The newest time in the snapshot. The snapshot was taken at that time or later. */
  readonly observedAt: Instant;
}

/** Parses a timestamp; returns undefined if it is missing, invalid or zero. */
export function instantOf(text: string | null | undefined): Instant | undefined {
  if (!text) return undefined;
  const at = Date.parse(text);
  // Kubernetes writes the zero time for "never".
  return Number.isNaN(at) || at <= 0 ? undefined : instant(at);
}
