/** Implements `observe install` and `observe uninstall` on this machine. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print, UsageError } from '@podscope/command-line';
import { relayProgram } from '@podscope/relay';
import { productVersion } from '@podscope/server/version';
import { pathOf } from '../options.ts';
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

/** Runs the installation or the removal. Returns the exit code. @throws UsageError */
export async function runInstallation(action: 'install' | 'uninstall', args: readonly string[]): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean', default: false }, listen: { type: 'string' } },
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
    version: productVersion,
  });
  return 0;
}
