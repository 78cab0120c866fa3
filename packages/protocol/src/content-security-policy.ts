/**
 * Lists the directives of the page's Content-Security-Policy: only files of the server itself, no inline scripts or
 * styles, no third party.
 */
export const contentSecurityPolicy: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];
