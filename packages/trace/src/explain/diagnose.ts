/**
 * Diagnoses the problems of a pod, with evidence and the next command to try. Uses only its status, events and
 * decisions, and never guesses.
 */
import type { RunFold } from '../folds/run-fold.ts';
import type { PodTrack } from '../folds/tracks.ts';
import { endDiagnosis } from './causes/end-causes.ts';
import { imageDiagnosis } from './causes/image-causes.ts';
import { heldDiagnosis, podDiagnosis } from './causes/pod-causes.ts';
import { careDiagnosis } from './causes/probe-causes.ts';
import { sandboxChange, sandboxFailure, surroundingDiagnosis } from './causes/sandbox-causes.ts';
import { startDiagnosis } from './causes/start-causes.ts';
import { type ContainerFacts, type Diagnosis, type PodFacts, podFactsOf } from './pod-facts.ts';
import type { RuntimeKind } from './runtime-commands.ts';

/** Checked in this order. The first result is the container's diagnosis. */
const containerCauses: readonly ((podFacts: PodFacts, container: ContainerFacts) => Diagnosis | undefined)[] = [
  imageDiagnosis,
  startDiagnosis,
  careDiagnosis,
  endDiagnosis,
];

function ofContainer(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  for (const cause of containerCauses) {
    const found = cause(podFacts, container);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the problems of a pod at `now` (milliseconds since the Unix epoch), most important first. Empty for a healthy
 * or deleted pod. `runtime` is the node's runtime, for pods whose status doesn't name it.
 */
export function diagnosePod(fold: RunFold, track: PodTrack, now: number, runtime?: RuntimeKind): readonly Diagnosis[] {
  if (track.deletedAt !== undefined && track.deletedAt <= now) return [];
  const podFacts = podFactsOf(fold, track, now, runtime);
  const whole = podDiagnosis(podFacts);
  const base = [heldDiagnosis(podFacts), whole].filter((each) => each !== undefined);
  if (whole) return base;
  const around = sandboxFailure(podFacts) ?? surroundingDiagnosis(podFacts);
  const containers = podFacts.containers.flatMap((container) => ofContainer(podFacts, container) ?? []);
  const change = around ? undefined : sandboxChange(podFacts);
  return [...base, ...(around ? [around] : []), ...containers, ...(change ? [change] : [])];
}
