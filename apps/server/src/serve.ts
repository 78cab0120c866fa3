/** Runs a server from the command line: greeting, notices, signals and exit codes. */
import { printable } from '@podscope/trace';
import { print, printGreeting } from './cli/console.ts';
import { fail } from './cli/fail.ts';
import type { ServerOptions } from './cli/server-options.ts';
import { createLogger } from './log.ts';
import { openBrowser } from './page/open-browser.ts';
import { preparePage } from './page/prepare-page.ts';
import { type RunningServer, startServer } from './server.ts';

/** Starts the server and installs signal handlers. @throws StartError if it can't start */
export async function serve(options: ServerOptions): Promise<void> {
  if (options.cluster) {
    const { serveLiveCluster } = await import('./live-cluster/serve-live-cluster.ts');
    await serveLiveCluster(options, options.cluster);
    return;
  }
  const logger = createLogger(options.logLevel);
  const server = await startServer(options, {
    logger,
    notify: (message) => process.stderr.write(`podscope: ${printable(message)}\n`),
    preparePage: () => preparePage(options.build, () => print('Building the page…')),
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'The server failed');
    fail(`internal error: ${error.message}`, 1);
  });
  stopOnSignal(server);
  printGreeting({
    ...server,
    kubeconfig: server.kubeconfigPath,
    manifestDir: options.manifestDir,
    keepPods: options.keepPods,
  });
  if (options.open) openBrowser(server.url, print);
}

/**
 * Stops the server on a signal. The first signal stops it cleanly. A second Ctrl+C stops it at once. A closed terminal
 * sends SIGHUP repeatedly, so further SIGHUPs don't interrupt the cleanup.
 */
function stopOnSignal(server: RunningServer): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) {
      if (signal === 'SIGINT') process.exit(130);
      return;
    }
    stopping = true;
    print('\nStopping… (Ctrl+C again: at once, leaving containers as they are)');
    server.stop().then(
      () => process.exit(0),
      (error: Error) => fail(`did not stop cleanly: ${error.message}`, 1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // A closed stdout must not prevent the server from stopping its pods.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
