/** Serves a class without a node: `start --class`. */
import { print } from '../cli/console.ts';
import { fail } from '../cli/fail.ts';
import type { ServerOptions } from '../cli/server-options.ts';
import { createLogger } from '../log.ts';
import { openBrowser } from '../page/open-browser.ts';
import { preparePage } from '../page/prepare-page.ts';
import { readGivenCertificate } from '../tls/given-certificate.ts';
import { type ClassServer, startClassServer } from './class-server.ts';

function printClass({ url, joinInfo }: ClassServer): void {
  const [link = '', ...others] = joinInfo.links;
  print(
    [
      '',
      `  Class       ${url}`,
      '              for the teacher: it contains the token, so keep it to yourself.',
      `  join        ${link}`,
      ...others.map((other) => `              ${other}`),
      `  code        ${joinInfo.code}`,
      ...(joinInfo.insecure
        ? ['  note        Plain HTTP: lessons work. --tls-cert and --tls-key serve HTTPS (docs/learn/classroom.md).']
        : []),
      '',
      '              Ctrl+C ends the class and deletes the names.',
      '',
    ].join('\n'),
  );
}

/** Starts a class, and stops it on a signal. @throws StartError if the server can't be started */
export async function serveClass(options: ServerOptions): Promise<void> {
  const logger = createLogger(options.logLevel);
  const certificate = options.tls && (await readGivenCertificate(options.tls));
  const pageDirectory = await preparePage(options.build, () => print('Building the page…'));
  const server = await startClassServer({
    host: options.host,
    port: options.port,
    token: options.token,
    certificate,
    insecure: options.insecure,
    site: options.classSite,
    pageDirectory,
    logger,
  });
  printClass(server);
  if (options.open) openBrowser(server.url, print);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      server.close().then(
        () => process.exit(0),
        (error: Error) => fail(`did not stop cleanly: ${error.message}`, 1),
      );
    });
  }
}
