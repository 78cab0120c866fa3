/** Diagnoses a pod for tests. */
import { inEnglish } from '@podscope/trace/explain';
import { diagnoseSnapshot } from '../diagnosis/diagnose.ts';
import type { ClusterFacts } from '../diagnosis/pod-case.ts';
import { readSnapshots } from '../read-snapshots.ts';

/**
 * Returns the texts of the first diagnosis of a pod. Each remedy has a line of its own.
 * @param objects the pod and its events
 * @throws Error if the objects contain no pod, or if the pod has no diagnosis
 */
export function firstDiagnosis(objects: readonly object[], facts?: ClusterFacts) {
  const [snapshot] = readSnapshots(objects.map((each) => JSON.stringify(each)).join('\n---\n')).snapshots;
  if (!snapshot) throw new Error('no pod');
  const [found] = diagnoseSnapshot(snapshot, facts).diagnoses;
  if (!found) throw new Error('no diagnosis');
  return {
    title: inEnglish(found.title),
    cause: found.cause.map(inEnglish).join(' '),
    remedies: found.next.map(({ why, command }) => `${inEnglish(why)}: ${command}`).join('\n'),
    commands: found.next.map(({ command }) => command).join('\n'),
    outlook: (found.outlook ?? []).map(inEnglish).join(' '),
  };
}
