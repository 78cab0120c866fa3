/**
 * What is wrong with a pod, in plain words, with the evidence and the next thing to try. Read from its status, events and decisions; what
 * they do not say is not guessed.
 */
import type { RunFold } from '../folds/run-fold.ts';
import type { PodTrack } from '../folds/tracks.ts';
import { endDiagnosis } from './end-causes.ts';
import { imageDiagnosis } from './image-causes.ts';
import { type ContainerPatient, type Diagnosis, type Patient, patientOf } from './patient.ts';
import { heldDiagnosis, podDiagnosis } from './pod-causes.ts';
import { careDiagnosis } from './probe-causes.ts';
import { sandboxChange, sandboxFailure, surroundingDiagnosis } from './sandbox-causes.ts';
import { startDiagnosis } from './start-causes.ts';

/** In this order; the first that finds something names the container's trouble. */
const containerCauses: readonly ((patient: Patient, container: ContainerPatient) => Diagnosis | undefined)[] = [
  imageDiagnosis,
  startDiagnosis,
  careDiagnosis,
  endDiagnosis,
];

function ofContainer(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
  for (const cause of containerCauses) {
    const found = cause(patient, container);
    if (found) return found;
  }
  return undefined;
}

/** Everything that is wrong with a pod at `now` (milliseconds since the Unix epoch), what matters most first; nothing for one that is well. */
export function diagnosePod(fold: RunFold, track: PodTrack, now: number): readonly Diagnosis[] {
  if (track.deletedAt !== undefined && track.deletedAt <= now) return [];
  const patient = patientOf(fold, track, now);
  const whole = podDiagnosis(patient);
  const base = [heldDiagnosis(patient), whole].filter((each) => each !== undefined);
  if (whole) return base;
  const around = sandboxFailure(patient) ?? surroundingDiagnosis(patient);
  const containers = patient.containers.flatMap((container) => ofContainer(patient, container) ?? []);
  const change = around ? undefined : sandboxChange(patient);
  return [...base, ...(around ? [around] : []), ...containers, ...(change ? [change] : [])];
}
