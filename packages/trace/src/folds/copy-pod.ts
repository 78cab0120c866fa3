/** Another record of a pod and all its tracks, that can be changed apart from the first. What never changes again is shared by both. */
import type { MutableContainer, MutablePod } from './mutable-tracks.ts';

const copyContainer = (original: MutableContainer): MutableContainer => ({
  ...original,
  attempts: original.attempts.map((attempt) => ({ ...attempt })),
  // Once ended, nothing more happens to an activity.
  activities: original.activities.map((activity) => (activity.end === undefined ? { ...activity } : activity)),
  backOffs: original.backOffs.map((backOff) => ({ ...backOff })),
  waits: [...original.waits],
});

/** The copy's lists have the order and length of the original's. */
export const copyPod = (original: MutablePod): MutablePod => ({
  ...original,
  sandbox: copyContainer(original.sandbox),
  containers: original.containers.map(copyContainer),
  workerSpans: [...original.workerSpans],
  syncs: original.syncs.map((sync) => ({ ...sync, steps: [...sync.steps], results: [...sync.results] })),
  events: [...original.events],
  phases: [...original.phases],
  stops: original.stops.map((stop) => ({ ...stop })),
  interventions: [...original.interventions],
  probes: original.probes.map((probe) => (probe.end === undefined ? { ...probe } : probe)),
});
