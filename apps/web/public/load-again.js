// Reloads files whose loading was interrupted. A browser cancels all loading when the machine's network changes; with a
// container engine on the machine, this happens whenever a container starts or stops. Without this script, the page
// could remain without its styles, or blank.
(() => {
  // Retrying doesn't help in a page without an origin (see own-origin.js).
  if (self.origin === 'null') return;

  const attempts = 5;
  const delay = 300; // Delay before a retry in milliseconds, multiplied by the number of the attempt.

  const key = 'podscope.reloads';

  /**
   * Storage for values that must survive a reload. In a frame of another site it may be unavailable; then nothing is
   * stored.
   */
  const keeps = (() => {
    try {
      return sessionStorage;
    } catch {
      return undefined;
    }
  })();

  /**
   * Reloads the page. The number of reloads is limited, because a missing file stays missing. If reloads can't be
   * counted, the page is reloaded only once.
   */
  const reload = () => {
    const isReloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
    const count = keeps ? Number(keeps.getItem(key) ?? 0) : isReloaded ? attempts : 0;
    if (count >= attempts) return;
    keeps?.setItem(key, String(count + 1));
    setTimeout(() => location.reload(), delay * (count + 1));
  };

  const loadAgain = (link, attempt) => {
    if (attempt > attempts) return;
    setTimeout(() => {
      const next = link.cloneNode();
      next.dataset.attempt = String(attempt);
      link.replaceWith(next);
    }, delay * attempt);
  };

  // Listen in the capture phase, because these events don't bubble.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
        loadAgain(target, Number(target.dataset.attempt ?? 0) + 1);
      else if (target instanceof HTMLScriptElement) reload();
    },
    true,
  );
  // A module that is loaded on demand could not be loaded, not even at another attempt (src/base/load-again.ts).
  addEventListener('podscope:loadFailed', reload);
  addEventListener('load', () => setTimeout(() => keeps?.removeItem(key), delay * attempts * attempts));
})();
