/** Implements `observe install` and `observe uninstall` on this machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print, UsageError } from '@podscope/command-line';
import { relayProgram } from '@podscope/relay';
import { productVersion } from '@podscope/server/version';
import { controlOf, defaultListen, pathOf } from '../options.ts';
import { type Host, hostAt } from './host.ts';
import { install, uninstall } from './install.ts';

/** Maximum time until the kubelet is healthy again, in milliseconds. */
const timeout = 90_000;
const pollEvery = 1_000;
/** The kubelet's health endpoint with the default values of healthzBindAddress and healthzPort. */
const healthz = 'http://127.0.0.1:10248/healthz';

/**
 * Resolves when the unit is active and the kubelet's health endpoint returns ok.
 * @throws Error with the last problem
 */
async function verifyKubelet(host: Host, unit: string): Promise<void> {
  const end = performance.now() + timeout;
  let problem = '';
  while (performance.now() < end) {
    try {
      await host.run('systemctl', 'is-active', '--quiet', unit);
      const response = await fetch(healthz, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return;
      problem = `${healthz} answers ${response.status}`;
    } catch (error) {
      problem = (error as Error).message;
    }
    await sleep(pollEvery);
  }
  throw new Error(`${unit} does not work after ${timeout / 1_000} s: ${problem}`);
}

/** Runs the installation or the removal. Returns the exit code. @throws UsageError */
export async function runInstallation(action: 'install' | 'uninstall', args: readonly string[]): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean', default: false }, listen: { type: 'string', default: defaultListen } },
      strict: true,
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const host = hostAt('/');
  const verify = (unit: string): Promise<void> => verifyKubelet(host, unit);
  const dryRun = values['dry-run'];
  if (action === 'uninstall') {
    await uninstall({ host, print, dryRun, verify });
    return 0;
  }
  const program = fileURLToPath(relayProgram);
  if (program.includes('/_npx/'))
    throw new Error('npx keeps this copy only for a while: run "npm install --global podscope" first, then install');
  const listen = pathOf('listen', values.listen);
  const control = controlOf(listen);
  const version = productVersion;
  await install({ host, print, dryRun, verify, node: process.execPath, program, listen, control, version });
  return 0;
}
