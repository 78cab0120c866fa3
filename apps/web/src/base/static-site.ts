/** Distinguishes the static site from a server's page. Both can be served from the same build. */

/**
 * True for the static site, whose `index.html` names its build. A server's page has no such element. Unit tests without
 * a document count as a server's page.
 */
export const isStaticSite =
  typeof document !== 'undefined' && document.querySelector('meta[name="podscope-build"]') !== null;
