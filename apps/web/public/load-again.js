// Loads again what got lost on the way: a browser drops what it is loading when the machine's network changes, and with a container engine on
// the machine that is whenever a container comes or goes. Without this the page could stay without its styles, or blank.
(() => {
  // Nothing comes by asking again there (own-origin.js says so).
  if (self.origin === 'null') return;

  const attempts = 5;
  const delay = 300; // ms, times the number of the attempt

  const key = 'podscope.reloads';

  /** What is kept from one load to the next; nothing where that is not allowed, as in a frame of another site. */
  const keeps = (() => {
    try {
      return sessionStorage;
    } catch {
      return undefined;
    }
  })();

  /** Reloads the page, but not for ever: what is not there does not come by asking. Where loads can't be counted, once. */
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

  // Such events do not bubble; they are seen on the way down.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
        loadAgain(target, Number(target.dataset.attempt ?? 0) + 1);
      else if (target instanceof HTMLScriptElement) reload();
    },
    true,
  );
  // A part that is loaded when it is needed.
  addEventListener('vite:preloadError', reload);
  addEventListener('load', () => setTimeout(() => keeps?.removeItem(key), delay * attempts * attempts));
})();
