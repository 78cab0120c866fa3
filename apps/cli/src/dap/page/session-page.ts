/** Serves the page of a debug session on a loopback port, for a frame in the editor or a browser. */
import {
  createLogger,
  type PageServer,
  preparePage,
  type StreamSource,
  startPageServer,
} from '@podscope/server/viewer';

/** A source of sessions for the page. */
export interface PageSource extends StreamSource {
  /** Resolves when sessions may connect. During a rerun they have to wait. */
  readonly ready?: Promise<void>;
}

/**
 * The sources of the pages around the frame in VS Code's desktop program: the webview, and the window. Browsers compare
 * each of them with `frame-ancestors`.
 */
const desktopPages = ['vscode-webview:', 'vscode-file:'] as const;

export interface SessionPageOptions {
  /** Returns the source of the current node; a restart of the session replaces it. */
  readonly source: () => PageSource;
  /** Origins at which VS Code runs in a browser. The sources of the desktop program are always allowed. */
  readonly frameAncestors: readonly string[];
  /** Called before the page is built, which takes some seconds. */
  readonly announce: () => void;
  /** The directory of the built page. Default: the page of this Podscope, which is built if necessary. */
  readonly pageDirectory: string | undefined;
}

/** Starts the server of the page. @throws StartError if the page can't be built */
export async function serveSessionPage({
  source,
  frameAncestors,
  announce,
  pageDirectory,
}: SessionPageOptions): Promise<PageServer> {
  return startPageServer({
    source: { connect: (transport) => source().connect(transport) },
    ready: async () => source().ready,
    port: 0,
    pageDirectory: pageDirectory ?? (await preparePage(true, announce)),
    logger: createLogger('error'),
    frameAncestors: [...desktopPages, ...frameAncestors],
  });
}
