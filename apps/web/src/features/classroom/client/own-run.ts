/** Controls the page's own run for tasks and questions: opens scenes, lets time pass, waits for events. */
import type { ClassScene } from '@podscope/classroom';
import { instant } from '@podscope/trace';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { openLocalRun, ownSession, useOpenNode } from '../../../node/run/open-node.ts';

/** Resolves when all events of the node have arrived. @throws Error if the node can't be reached */
export function live({ connection }: NodeSession): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const { state } = connection;
      if (state.phase === 'live') {
        stop();
        resolve();
      } else if (state.phase === 'away' && state.reason !== '') {
        stop();
        reject(new Error(state.reason));
      }
    };
    const stop = connection.subscribe(look);
    look();
  });
}

/** Resolves when the event with this number has arrived. */
function arrived({ run }: NodeSession, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (run.history.lastSeq < seq) return;
      stop();
      resolve();
    };
    const stop = run.subscribe(look);
    look();
  });
}

/** Returns the start of the run. */
const beginOf = ({ run }: NodeSession) => instant(run.history.events[0]?.time ?? 0);

/** Returns the current time of the run, in milliseconds since the Unix epoch. */
export const nowOf = (node: NodeSession): number => node.run.runTime?.now ?? node.run.liveNow();

/** Lets virtual time pass at once and waits until the page shows it. */
export async function pass(node: NodeSession, milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return;
  const { lastSeq } = await node.connection.command<'stepTime'>({ command: 'stepTime', milliseconds });
  await arrived(node, lastSeq);
}

/** Pauses or resumes virtual time. Does nothing for a recording. */
export async function setPaused({ connection, run }: NodeSession, paused: boolean): Promise<void> {
  if (run.runTime && connection.node?.readOnly !== true)
    await connection.command<'setTime'>({ command: 'setTime', paused });
}

/** Plays a scene in a new engine of the page and pauses it there. @returns its session */
export async function openScene({ scenario, profile, seed, at }: ClassScene): Promise<NodeSession> {
  openLocalRun({ scenario, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
  const node = ownSession();
  await live(node);
  await pass(node, at * 1_000);
  return node;
}

/** Returns the scene of the page's own run; undefined for a run that a scenario doesn't reproduce. */
export function sceneOfOwnRun(): ClassScene | undefined {
  const { options } = useOpenNode.getState();
  const node = ownSession();
  if (options?.scenario === undefined || node.run.history.lastSeq === 0) return undefined;
  const shown = node.run.past?.time ?? nowOf(node);
  return {
    scenario: options.scenario,
    profile: options.profile ?? 'v1.36',
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    at: Math.max(0, Math.round(shown - beginOf(node)) / 1_000),
  };
}
