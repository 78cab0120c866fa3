/**
 * Copies a pod's record and tracks, so that original and copy can change independently. Parts that never change again
 * are shared.
 */
import type { MutableContainer, MutablePod } from './mutable-tracks.ts';

const copyContainer = (original: MutableContainer): MutableContainer => ({
  ...original,
  attempts: original.attempts.map((attempt) => ({ ...attempt })),
  // An activity that has ended never changes again.
  activities: original.activities.map((activity) => (activity.end === undefined ? { ...activity } : activity)),
  backOffs: original.backOffs.map((backOff) => ({ ...backOff })),
  waits: [...original.waits],
});

/** Returns a copy. Its lists have the same order and length as the original's. */
export const copyPod = (original: MutablePod): MutablePod => ({
  ...original,
  sandbox: copyContainer(original.sandbox),
  containers: original.containers.map(copyContainer),
  workerSpans: [...original.workerSpans],
  syncs: original.syncs.map((sync) => ({ ...sync, results: [...sync.results] })),
  events: [...original.events],
  phases: [...original.phases],
  stops: original.stops.map((stop) => ({ ...stop })),
  interventions: [...original.interventions],
  probes: original.probes.map((probe) => (probe.end === undefined ? { ...probe } : probe)),
});
