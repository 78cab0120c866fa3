/** What `pnpm start` runs. */
import { print, printGreeting } from './cli/console.ts';
import { helpText, parseCommandLine, type ServerOptions, UsageError } from './cli/options.ts';
import { createLogger } from './log.ts';
import { buildPage, pageDirectory } from './page/build-page.ts';
import { openBrowser } from './page/open-browser.ts';
import { productVersion } from './repository.ts';
import { type RunningServer, startServer } from './server.ts';
import { StartError } from './start-error.ts';

/** One line on stderr, and the end. */
function fail(message: string, code: number): never {
  process.stderr.write(`podscope: ${message}\n`);
  process.exit(code);
}

async function serve(options: ServerOptions): Promise<void> {
  const logger = createLogger(options.logLevel);
  const server = await startServer(options, {
    logger,
    notify: (message) => process.stderr.write(`podscope: ${message}\n`),
    preparePage: () => (options.build ? buildPage(() => print('Building the page…')) : Promise.resolve(pageDirectory)),
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'The server failed');
    fail(`internal error: ${error.message}`, 1);
  });
  stopOnSignal(server);
  printGreeting({ ...server, kubeconfig: server.kubeconfigPath, manifestDir: options.manifestDir, keepPods: options.keepPods });
  if (options.open) openBrowser(server.url, print);
}

/** The first signal stops cleanly, the second at once. */
function stopOnSignal(server: RunningServer): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    print('\nStopping… (Ctrl+C again: at once, leaving containers as they are)');
    server.stop().then(
      () => process.exit(0),
      (error: Error) => fail(`did not stop cleanly: ${error.message}`, 1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

try {
  const line = parseCommandLine(process.argv.slice(2));
  if (line.action === 'serve') await serve(line.options);
  else print(line.action === 'help' ? helpText() : productVersion);
} catch (error) {
  if (error instanceof UsageError) fail(error.message, 2);
  if (error instanceof StartError) fail(error.message, 1);
  fail(`could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 1);
}
