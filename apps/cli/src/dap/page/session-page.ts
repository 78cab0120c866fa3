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
  /** Resolves when sessions may connect; a rerun delays them. */
  readonly ready?: Promise<void>;
}

/**
 * The pages around the frame in VS Code's desktop program: the webview, and the window. Browsers compare each of them
 * with `frame-ancestors`.
 */
const desktopPages = ['vscode-webview:', 'vscode-file:'] as const;

export interface SessionPageOptions {
  /** Returns the source of the current node; a restart of the session replaces it. */
  readonly source: () => PageSource;
  /** Origins of a VS Code in the browser, beyond the desktop program. */
  readonly frameAncestors: readonly string[];
  /** Called before the page is built. */
  readonly announce: () => void;
  /** The directory of the built page; default: that of this Podscope, built if necessary. */
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
