/** Observes a real cluster and serves it to the local user: `--kubeconfig`. */
import { printable } from '@podscope/trace';
import { print } from '../cli/console.ts';
import { fail } from '../cli/fail.ts';
import type { ServerOptions } from '../cli/server-options.ts';
import { createLogger } from '../log.ts';
import { openBrowser } from '../page/open-browser.ts';
import { preparePage } from '../page/prepare-page.ts';
import { startPageServer } from '../viewer/page-server.ts';
import { LiveCluster } from './live-cluster.ts';

/**
 * Starts the observation, and stops it on a signal.
 * @throws StartError if the cluster can't be observed
 */
export async function serveLiveCluster(
  options: ServerOptions,
  cluster: NonNullable<ServerOptions['cluster']>,
): Promise<void> {
  const logger = createLogger(options.logLevel);
  const live = new LiveCluster({
    ...cluster,
    logger,
    notify: (message) => process.stderr.write(`podscope: ${printable(message)}\n`),
  });
  await live.start();
  const page = await preparePage(options.build, () => print('Building the page…'));
  const server = await startPageServer({
    source: live,
    port: options.port,
    token: options.token,
    pageDirectory: page,
    logger,
  });
  print(`\n  Podscope    ${server.url}\n  cluster     ${live.name} (read-only)\n\n              Ctrl+C stops.\n`);
  if (options.open) openBrowser(server.url, print);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      live
        .stop()
        .then(() => server.close())
        .then(
          () => process.exit(0),
          (error: Error) => fail(`did not stop cleanly: ${error.message}`, 1),
        );
    });
  }
}
