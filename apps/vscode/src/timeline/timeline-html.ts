/** Renders the HTML of the timeline's webview: a frame with Podscope's page, or a message. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

/**
 * VS Code sets a class of the body to the kind of its theme. The style sets the color scheme from it. The frame
 * inherits the color scheme, and the page in the frame follows it like the system's setting.
 */
const schemes =
  'body { color-scheme: light; } body.vscode-dark, body.vscode-high-contrast { color-scheme: dark; } ' +
  'body.vscode-high-contrast-light { color-scheme: light; }';

const document = (policy: string, style: string, body: string): string => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ${policy}">
<title>Podscope</title>
<style>${style}</style>
</head>
<body>${body}</body>
</html>
`;

/**
 * Returns a document with a frame that shows the page.
 * @param address address of the page that the window can load, with the token
 * @param title accessible name of the frame
 */
export function frameHtml(address: string, title: string): string {
  const url = new URL(address);
  // These parameters hide the page's own bar and make it show each pod that stops.
  url.searchParams.set('embed', '');
  url.searchParams.set('stops', '');
  return document(
    `frame-src ${url.origin}`,
    `html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh; display: block; } ${schemes}`,
    `<iframe src="${escape(url.href)}" title="${escape(title)}" allow="clipboard-write"></iframe>`,
  );
}

/** Returns a document with a message. */
export const messageHtml = (message: string): string =>
  document('', 'body { padding: 1rem; line-height: 1.5; }', `<p role="status">${escape(message)}</p>`);

/** The reason why a window can't show the page in a frame. */
type FrameProblem = 'path' | 'ancestors';

/** Facts about the window. */
export interface Window {
  /** The address of the page as VS Code forwards it to the window. It may have another host or port. */
  readonly external: string;
  /** True if VS Code runs in a browser. */
  readonly isBrowser: boolean;
  /** The value of the setting `podscope.frameAncestors`. */
  readonly frameAncestors: readonly string[];
}

const isLoopback = (origin: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(origin)?.hostname ?? '');

/**
 * Returns the address of the page for a frame in the window, or the reason why the window can't show it.
 * @param url the address of the page on this machine
 */
export function frameAddress(
  url: string,
  { external, isBrowser, frameAncestors }: Window,
): { readonly address: string } | { readonly problem: FrameProblem } {
  if (isBrowser && frameAncestors.length === 0) return { problem: 'ancestors' };
  // Accept the forwarded address only if its path is `/`, because the page's files are at the root of its server.
  if (new URL(external).pathname === '/') return { address: external };
  // If the browser opened VS Code on a loopback address, it runs on this machine and reaches the page without
  // forwarding.
  return isBrowser && frameAncestors.every(isLoopback) ? { address: url } : { problem: 'path' };
}
