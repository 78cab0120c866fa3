/**
 * Copies a pod's record and tracks, so that original and copy can change independently. Records that the state of a
 * fold copies before it changes them are shared, as are those that never change again.
 */
import type { MutableContainer, MutablePod } from './mutable-tracks.ts';

const copyContainer = (original: MutableContainer): MutableContainer => ({
  ...original,
  attempts: [...original.attempts],
  activities: [...original.activities],
  backOffs: [...original.backOffs],
  waits: [...original.waits],
});

/** Returns a copy. Its lists have the same order and length as the original's. */
export const copyPod = (original: MutablePod): MutablePod => ({
  ...original,
  sandbox: copyContainer(original.sandbox),
  containers: original.containers.map(copyContainer),
  syncs: [...original.syncs],
  events: [...original.events],
  phases: [...original.phases],
  stops: original.stops.map((stop) => ({ ...stop })),
  interventions: [...original.interventions],
  // An attempt that has ended never changes again.
  probes: original.probes.map((probe) => (probe.end === undefined ? { ...probe } : probe)),
});
