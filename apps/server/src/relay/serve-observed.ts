/** Serves the page of a node that is observed through a relay. */
import { createLogger } from '../log.ts';
import { preparePage } from '../page/prepare-page.ts';
import { startReadOnlyServer } from '../viewer/read-only-server.ts';
import { ObservedNode } from './observed-node.ts';

export interface ServeObservedOptions {
  /** Path of the relay's control socket. */
  readonly control: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly token?: string | undefined;
  /** False: serve the page as it was last built. */
  readonly build: boolean;
  readonly print: (text: string) => void;
}

/** A server that was started. */
export interface ObservedServer {
  /** Address of the page, with the token. */
  readonly url: string;
  readonly node: ObservedNode;
  close(): Promise<void>;
}

/** Starts the server. @throws StartError if the page can't be built or the port is in use */
export async function serveObserved({
  control,
  port,
  token,
  build,
  print,
}: ServeObservedOptions): Promise<ObservedServer> {
  const page = await preparePage(build, () => print('Building the page…'));
  const node = new ObservedNode({ control, notify: print });
  const server = await startReadOnlyServer({
    source: node,
    port,
    token,
    pageDirectory: page,
    logger: createLogger('warn'),
  }).catch((error: unknown) => {
    node.close();
    throw error;
  });
  return {
    url: server.url,
    node,
    async close() {
      node.close();
      await server.close();
    },
  };
}
