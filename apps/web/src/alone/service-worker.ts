/** Registers the service worker that keeps the page for offline use. */
import type { Connection } from '../connection/connection.ts';
import { isConnected } from '../connection/connection-state.ts';

/** A script that was lost on the way is asked for again after so many milliseconds. */
const pauses: readonly number[] = [1_000, 4_000, 15_000];

/** Milliseconds that the engine has before the rest is loaded all the same. */
const patience = 20_000;

/** The engine answers, or takes too long. */
const answers = (connection: Connection): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, patience);
    const look = (): void => {
      if (!isConnected(connection.state)) return;
      clearTimeout(timer);
      unsubscribe();
      done();
    };
    const unsubscribe = connection.subscribe(look);
    look();
  });

/**
 * Keeps all files, once what the page needs itself is there: they would stand in its way. Does nothing where workers of that kind are not to
 * be had (a file opened from disk, a private window): the page works without.
 */
export async function keepForOffline(connection: Connection): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await answers(connection);
  for (const pause of [...pauses, undefined]) {
    try {
      await navigator.serviceWorker.register('./sw.js');
      return;
    } catch {
      // Offline use is an extra: in the end the page does without.
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
