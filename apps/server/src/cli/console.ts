/** Prints the server's greeting on the console. */

/** Returns the text in bold on a terminal. */
const bold = (text: string): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;

const row = (name: string, text: string): string => `  ${name.padEnd(12)}${text}`;

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export interface Greeting {
  readonly url: string;
  readonly runtime: string;
  readonly kubeconfig: string;
  readonly manifestDir: string | undefined;
  readonly keepPods: boolean;
  readonly notices: readonly string[];
}

/** Prints the address of the page, how to connect kubectl, and the notices of the run. */
export function printGreeting({ url, runtime, kubeconfig, manifestDir, keepPods, notices }: Greeting): void {
  const quoted = /^[\w./@:+-]+$/.test(kubeconfig) ? kubeconfig : `'${kubeconfig.replaceAll("'", String.raw`'\''`)}'`;
  print(
    [
      '',
      row('Podscope', bold(url)),
      row('runtime', runtime),
      row('kubeconfig', kubeconfig),
      row('', `kubectl --kubeconfig ${quoted} get pods`),
      ...(manifestDir === undefined ? [] : [row('manifests', manifestDir)]),
      ...notices.map((notice) => row('note', notice)),
      '',
      row(
        '',
        keepPods
          ? 'Ctrl+C stops the server; its pods keep running.'
          : 'Ctrl+C stops the server and removes its pods (--keep-pods leaves them).',
      ),
      '',
    ].join('\n'),
  );
}
