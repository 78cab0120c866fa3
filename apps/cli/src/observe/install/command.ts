/** Implements `observe install` and `observe uninstall` on this machine. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print, UsageError } from '@podscope/command-line';
import { relayProgram } from '@podscope/relay';
import { productVersion } from '@podscope/server/version';
import { parseObserveOptions, pathOf } from '../options.ts';
import { hostAt } from './host.ts';
import { install, uninstall } from './install.ts';
import { type VerifiedNode, verifyNode } from './verify.ts';

/**
 * Returns a signal that is aborted when the user interrupts the program or its terminal is closed. The installation
 * then restores the host instead of ending halfway.
 */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => controller.abort(new Error(`interrupted by ${signal}`)));
  // A closed terminal accepts no output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return controller.signal;
}

const text = { type: 'string' } as const;
/** The options of `observe` that `install` passes to the export. */
const exportOptions = {
  'otlp-export': text,
  otlp: text,
  'otlp-http': text,
  kubelet: text,
  'kubelet-token': text,
  'kubelet-cert': text,
  'kubelet-key': text,
  'kubelet-ca': text,
  kubeconfig: text,
  context: text,
  'node-name': text,
} as const;
/** The options whose value is a file. systemd starts programs in another directory. */
const fileOptions: ReadonlySet<string> = new Set([
  'kubelet-token',
  'kubelet-cert',
  'kubelet-key',
  'kubelet-ca',
  'kubeconfig',
]);

/**
 * Returns the arguments of the program that exports spans; undefined without `--otlp-export`.
 * @param program the command line's program
 * @throws UsageError
 */
export function exporterOf(
  program: string,
  values: Partial<Record<keyof typeof exportOptions, string>>,
): readonly string[] | undefined {
  const given = Object.keys(exportOptions).flatMap((name) => {
    const value = values[name as keyof typeof exportOptions];
    return value === undefined ? [] : [`--${name}`, fileOptions.has(name) ? resolve(value) : value];
  });
  if (given.length === 0) return undefined;
  parseObserveOptions(['--no-page', ...given]);
  return [program, 'observe', '--no-page', ...given];
}

/** Runs the installation or the removal. Returns the exit code. @throws UsageError */
export async function runInstallation(action: 'install' | 'uninstall', args: readonly string[]): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean', default: false }, listen: text, ...exportOptions },
      strict: true,
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const host = hostAt('/');
  const verify = (node: VerifiedNode, signal?: AbortSignal): Promise<void> => verifyNode(host, node, signal);
  const dryRun = values['dry-run'];
  if (action === 'uninstall') {
    await uninstall({ host, print, dryRun, verify });
    return 0;
  }
  const program = fileURLToPath(relayProgram);
  if (program.includes('/_npx/'))
    throw new Error('npx keeps this copy only for a while: run "npm install --global podscope" first, then install');
  const listen = values.listen === undefined ? undefined : pathOf('listen', values.listen);
  await install({
    host,
    print,
    dryRun,
    interrupted: interruption(),
    verify,
    node: process.execPath,
    program,
    listen,
    exporter: exporterOf(await realpath(process.argv[1] ?? ''), values),
    version: productVersion,
  });
  return 0;
}
