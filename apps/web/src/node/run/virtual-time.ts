/** Advances a run's virtual time and waits until the page has received the events up to that time. */
import { type Instant, instant } from '@podscope/trace';
import type { NodeSession } from './node-session.ts';

/** Resolves when all events of the node have arrived. @throws Error if the node can't be reached */
export function live({ connection }: Pick<NodeSession, 'connection'>): Promise<void> {
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

/**
 * Resolves when the event with this number has arrived. Waiting is necessary because a response may arrive before the
 * events that it caused.
 */
export function arrived({ run }: Pick<NodeSession, 'run'>, seq: number): Promise<void> {
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

/** Returns the start time of the run. */
export const beginOf = ({ run }: Pick<NodeSession, 'run'>): Instant => instant(run.history.events[0]?.time ?? 0);

/** Returns the current time of the run, in milliseconds since the Unix epoch. */
export const nowOf = ({ run }: Pick<NodeSession, 'run'>): number => run.runTime?.now ?? run.liveNow();

/**
 * Advances virtual time by this many milliseconds and waits until the page shows the new time.
 * @param toStop true to end at the first stop at a breakpoint
 * @returns the virtual time that was reached
 */
export async function pass(node: NodeSession, milliseconds: number, toStop = false): Promise<number> {
  if (milliseconds <= 0) return nowOf(node);
  const { time, lastSeq } = await node.connection.command<'stepTime'>({ command: 'stepTime', milliseconds, toStop });
  await arrived(node, lastSeq);
  return time.now;
}
