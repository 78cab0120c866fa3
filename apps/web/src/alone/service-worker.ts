/** Registers the service worker that keeps the page for offline use. */

/** Does nothing where workers of that kind are not to be had (a file opened from disk, a private window): the page works without. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('./sw.js');
  } catch {
    // Offline use is an extra.
  }
}
