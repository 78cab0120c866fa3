/** Implements `observe`: serves the page of a genuine kubelet behind a relay. If no relay is running, starts one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type CommandBody, print, report } from '@podscope/command-line';
import { relayArguments, relayNodeOption, supervisorProgram } from '@podscope/relay';
import { productVersion } from '@podscope/server/version';
import { hostAt } from './install/host.ts';
import { installedSocket } from './install/record.ts';
import { help, type ObserveOptions, parseObserveOptions } from './options.ts';

/** Returns true if a server listens on the socket. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Starts the supervisor. It continues to run if this process crashes, so that the kubelet doesn't lose its runtime. */
async function startRelay(options: ObserveOptions): Promise<ChildProcess> {
  const child = fork(fileURLToPath(supervisorProgram), relayArguments({ ...options, version: productVersion }), {
    detached: true,
    execArgv: [relayNodeOption],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [outcome] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (outcome !== 'listening') throw new Error(`the relay could not listen on ${options.listen}`);
  child.disconnect();
  child.unref();
  return child;
}

async function stopSignal(): Promise<void> {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await Promise.race(signals.map((signal) => once(process, signal, { signal: controller.signal })));
  controller.abort();
}

async function observe(args: readonly string[]): Promise<number> {
  const installed = await installedSocket(hostAt('/'));
  const options = parseObserveOptions(args, installed);
  // systemd starts an installed relay with the first call of the kubelet.
  const isRunning = installed === options.listen || !options.page || (await answers(options.control));
  const relay = isRunning ? undefined : await startRelay(options);
  try {
    const { serveObserved } = await import('@podscope/server/relay');
    const { control, page, port, token, build, otlp, otlpExport, kubelet, api, stateDirectory, runsSize } = options;
    const server = await serveObserved({
      control,
      page,
      port,
      token,
      build,
      otlp,
      otlpExport,
      kubelet,
      api,
      stateDirectory,
      runsSize,
      print,
    });
    print(`\n  Podscope    ${server.url ?? `exports spans to ${otlpExport}`}`);
    print(`  relay       unix://${options.listen} → unix://${options.runtime}${isRunning ? ' (runs already)' : ''}\n`);
    const end = relay ? 'Ctrl+C stops the page and the relay: the kubelet then has no runtime.' : 'Ctrl+C stops.';
    print(`              ${end}\n`);
    await stopSignal();
    await server.close();
  } finally {
    relay?.kill('SIGTERM');
  }
  return 0;
}

export const command: CommandBody = {
  help,
  examples: [
    ['observe --runtime unix:///run/containerd/containerd.sock', 'Relay the CRI calls of a kubelet to containerd'],
    ['observe --no-page --otlp-export http://collector:4318', 'Export spans of the pods’ calls, without a page'],
    ['observe install --dry-run', 'Show what an installation would change on this host'],
    ['observe uninstall', 'Restore the kubelet’s files'],
  ],
  async run(args) {
    const [first, ...rest] = args;
    try {
      if (first === 'install' || first === 'uninstall') {
        const { runInstallation } = await import('./install/command.ts');
        return await runInstallation(first, rest);
      }
      return await observe(args);
    } catch (error) {
      // Print errors that the user can fix as one line. Throw all others.
      if (!(error instanceof Error) || error.name === 'UsageError' || error.name === 'TypeError') throw error;
      report(`podscope: ${error.message}`);
      return 1;
    }
  },
};
