/** `--kubeconfig`: shows a real cluster to the person at the console. */
import { printable } from '@podscope/trace';
import { print } from '../cli/console.ts';
import { fail } from '../cli/fail.ts';
import type { ServerOptions } from '../cli/options.ts';
import { createLogger } from '../log.ts';
import { buildPage, pageDirectory } from '../page/build-page.ts';
import { openBrowser } from '../page/open-browser.ts';
import { openReadOnlyDoors } from '../viewer/read-only-doors.ts';
import { LiveCluster } from './live-cluster.ts';

/** Starts looking; from then on signals end it. @throws StartError when the cluster can't be looked at */
export async function serveLiveCluster(options: ServerOptions, cluster: NonNullable<ServerOptions['cluster']>): Promise<void> {
  const logger = createLogger(options.logLevel);
  const live = new LiveCluster({ ...cluster, logger, notify: (message) => process.stderr.write(`podscope: ${printable(message)}\n`) });
  await live.start();
  const page = options.build ? await buildPage(() => print('Building the page…')) : pageDirectory;
  const doors = await openReadOnlyDoors({ source: live, port: options.port, token: options.token, pageDirectory: page, logger });
  print(`\n  Podscope    ${doors.url}\n  cluster     ${live.name}, looked at and never changed\n\n              Ctrl+C stops.\n`);
  if (options.open) openBrowser(doors.url, print);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      live
        .stop()
        .then(() => doors.close())
        .then(
          () => process.exit(0),
          (error: Error) => fail(`did not stop cleanly: ${error.message}`, 1),
        );
    });
  }
}
