/** Registers the service worker that keeps the page for offline use. */

/** A script that was lost on the way is asked for again after so many milliseconds. */
const pauses: readonly number[] = [1_000, 4_000, 15_000];

/** Does nothing where workers of that kind are not to be had (a file opened from disk, a private window): the page works without. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
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
