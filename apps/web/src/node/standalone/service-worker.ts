/** Registers the service worker that stores the page for offline use. */
import type { Connection } from '../connection/connection.ts';
import { isConnected } from '../connection/connection-state.ts';

/** Delays before a failed script is requested again, in milliseconds. */
const pauses: readonly number[] = [1_000, 4_000, 15_000];

/** Maximum time to wait for the engine before the remaining files are loaded, in milliseconds. */
const timeout = 20_000;

/**
 * Time after the engine's first answer until the remaining files are loaded, in milliseconds. Loading hundreds of files
 * takes as much processor time as starting the first pod.
 */
const quietStart = 2_000;

/** Resolves when the engine answers or the timeout expires. */
const answers = (connection: Connection): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, timeout);
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
 * Registers the service worker after the page has loaded what it needs, so that caching doesn't delay it. Does
 * nothing where service workers are unavailable, as in private windows.
 */
export async function keepForOffline(connection: Connection): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await answers(connection);
  await new Promise((resolve) => setTimeout(resolve, quietStart));
  for (const pause of [...pauses, undefined]) {
    try {
      await navigator.serviceWorker.register('./sw.js');
      return;
    } catch {
      // Offline use is optional: the page works without it.
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
