/** Plays attempts at an exercise on the lesson's node. */
import { isRecord } from '@podscope/base';
import { attemptActs, type Exercise, goalsMet, type Lesson } from '@podscope/lessons';
import type { ApplyResult } from '@podscope/protocol';
import { instant } from '@podscope/trace';
import { showPod } from '../../../node/address/view-store.ts';
import { CommandFailedError } from '../../../node/connection/errors.ts';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { nowOf, pass } from '../../../node/run/virtual-time.ts';

/** Namespace in which scenarios create their pods. */
const namespace = 'default';

/**
 * Returns the manifest with which an exercise begins: the manifest of its scenario.
 * @throws Error for an unknown scenario
 */
export async function exerciseManifest({ scenarios }: Lesson, { scenario: id }: Exercise): Promise<string> {
  const own = scenarios.find((each) => each.id === id)?.value;
  if (isRecord(own) && typeof own['manifest'] === 'string') return own['manifest'];
  const { findScenario } = await import('@podscope/scenarios');
  const found = findScenario(id);
  if (!found) throw new Error(id);
  return found.manifest;
}

/** Deletes the pod. Also succeeds if the pod doesn't exist. */
async function deletePod({ connection }: NodeSession, name: string, gracePeriodSeconds?: number): Promise<void> {
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  try {
    await connection.command<'deletePod'>({ command: 'deletePod', namespace, name, ...grace });
  } catch (error) {
    if (!(error instanceof CommandFailedError && error.reason === 'NotFound')) throw error;
  }
}

/** Applies the manifest, plays the attempt to its end and judges it. */
export async function playAttempt(
  node: NodeSession,
  exercise: Exercise,
  manifest: string,
): Promise<{ readonly errors: ApplyResult['errors']; readonly goals: readonly boolean[] }> {
  const { connection, run } = node;
  // If the text can't be parsed, keep the existing pod. Errors that name a field are ignored here: the node validates
  // an update of the existing pod, but the attempt creates a new pod.
  const { errors: invalid } = await connection.command<'validate'>({ command: 'validate', manifest });
  const unreadable = invalid.filter(({ field }) => field === undefined);
  if (unreadable.length > 0) return { errors: unreadable, goals: [] };
  const begin = nowOf(node);
  for (const act of attemptActs(exercise, manifest, 0)) {
    await pass(node, begin + act.at * 1_000 - nowOf(node));
    if (act.do === 'apply') {
      const { applied, errors } = await connection.command<'apply'>({ command: 'apply', manifest: act.manifest });
      if (errors.length > 0) return { errors, goals: [] };
      // The attempt's pod has a new UID, so select it.
      const uid = applied.find(({ kind, name }) => kind === 'Pod' && name === exercise.pod)?.uid;
      if (uid !== undefined) showPod({ uid, namespace, name: exercise.pod });
    } else if (act.do === 'deletePod') await deletePod(node, act.pod, act.gracePeriodSeconds);
    else
      await connection.command<'killContainer'>({
        command: 'killContainer',
        namespace,
        name: act.pod,
        container: act.container,
        signal: 'KILL',
      });
  }
  await pass(node, begin + exercise.seconds * 1_000 - nowOf(node));
  return { errors: [], goals: goalsMet(exercise, { begin: instant(begin), events: run.history.events }) };
}
