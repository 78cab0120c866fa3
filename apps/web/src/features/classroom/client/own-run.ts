/** Controls the page's own run for tasks and questions: opens scenes, advances time, waits for events. */
import { type ClassScene, spansBegun } from '@podscope/classroom';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { openLocalRun, ownSession, useOpenNode } from '../../../node/run/open-node.ts';
import { beginOf, live, nowOf, pass } from '../../../node/run/virtual-time.ts';
import { leaveLesson } from '../../lessons/index.ts';

/** Pauses or resumes virtual time. Does nothing for a recording. */
export async function setPaused({ connection, run }: NodeSession, paused: boolean): Promise<void> {
  if (run.runTime && connection.node?.readOnly !== true)
    await connection.command<'setTime'>({ command: 'setTime', paused });
}

/** Plays a scene in a new engine of the page and pauses it there. @returns its session */
export async function openScene({ scenario, profile, seed, at }: ClassScene): Promise<NodeSession> {
  await leaveLesson();
  openLocalRun({ scenario, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
  const node = ownSession();
  await live(node);
  await pass(node, at * 1_000);
  return node;
}

/** Returns the UID of the newest pod with this `namespace/name`; undefined if no pod has it. */
export const podOf = ({ run }: NodeSession, name: string | undefined): string | undefined =>
  run.fold.pods().findLast((each) => `${each.namespace}/${each.name}` === name)?.uid;

/** Returns a scene that reproduces the page's own run; undefined if the run doesn't play a scenario. */
export function sceneOfOwnRun(): ClassScene | undefined {
  const { options } = useOpenNode.getState();
  const node = ownSession();
  if (options?.scenario === undefined || node.run.history.lastSeq === 0) return undefined;
  const shown = node.run.past?.time ?? nowOf(node);
  return {
    scenario: options.scenario,
    profile: options.profile ?? 'v1.36',
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    at: Math.max(0, Math.ceil(shown - beginOf(node)) / 1_000),
  };
}

/**
 * Returns the scene of a question about the shown moment; undefined if the page's own run doesn't play a scenario.
 * @param pod `namespace/name` of the pod that the question is about; undefined if it is about any pod
 */
export function askedScene(pod: string | undefined): ClassScene | undefined {
  const scene = sceneOfOwnRun();
  const node = ownSession();
  const { history, past } = node.run;
  return scene && { ...scene, spans: spansBegun(history.events, podOf(node, pod), past?.seq ?? history.lastSeq) };
}
