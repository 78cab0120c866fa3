/** Starts a Podscope server for tests, with its own state directory and a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SimulationDocument } from './simulation.ts';

export interface PodscopeServerOptions {
  /** The container runtime. Default: the simulator. */
  readonly runtime?: 'sim' | 'docker' | `unix://${string}`;
  /** Settings of the simulated node. */
  readonly simulation?: SimulationDocument;
  /** Additional options of the server, such as `--profile v1.20`. */
  readonly args?: readonly string[];
  /**
   * The checkout of Podscope. Default: the environment variable `PODSCOPE_ROOT`, or else the checkout that contains
   * this package.
   */
  readonly root?: string;
}

export interface PodscopeServer {
  /** The address of the page, with the token. */
  readonly url: string;
  /** Path of the kubeconfig for kubectl. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const mainOf = (checkout: string): string => join(checkout, 'apps/server/src/main.ts');

/** Returns the checkout that contains the server. @throws Error that explains how to specify one */
function findCheckout(named: string | undefined): string {
  const checkout = resolve(named ?? resolve(import.meta.dirname, '../../..'));
  if (!existsSync(mainOf(checkout)))
    throw new Error(
      (named === undefined
        ? 'The Podscope server is not part of this package: '
        : `There is no Podscope checkout at ${checkout}: `) +
        'name one in podscopeServer.root or PODSCOPE_ROOT, or a built site in podscopeSite.',
    );
  if (!existsSync(join(checkout, 'node_modules')))
    throw new Error(`Podscope at ${checkout} is not installed yet: run \`npx -y pnpm@12 install\` there.`);
  return checkout;
}

/**
 * Returns the Node binary that runs the server. The server is TypeScript and needs the version in its checkout, which
 * may be newer than the tests' version.
 */
function findNode(checkout: string): string {
  const own = join(checkout, 'node_modules/node/bin/node');
  return existsSync(own) ? own : process.execPath;
}

/** Starts a server and waits until it has printed its address. @throws Error with its output if it exits before */
export async function startPodscopeServer({
  runtime = 'sim',
  simulation,
  args = [],
  root,
}: PodscopeServerOptions = {}): Promise<PodscopeServer> {
  const checkout = findCheckout(root ?? process.env['PODSCOPE_ROOT']);
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-playwright-'));
  const simulationFile = join(stateDir, 'simulation.json');
  if (simulation) await writeFile(simulationFile, JSON.stringify(simulation));
  const child = spawn(
    findNode(checkout),
    [
      mainOf(checkout),
      '--runtime',
      runtime,
      '--port',
      '0',
      '--state-dir',
      stateDir,
      ...(simulation ? ['--simulation', simulationFile] : []),
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    }
    await rm(stateDir, { recursive: true, force: true });
  };
  try {
    const url = await new Promise<string>((found, fail) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString('utf8');
        const [match] = /https?:\/\/[^\s/]+\/\?token=[\w.~-]+/.exec(output) ?? [];
        if (match && output.includes('kubeconfig')) found(match);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', fail);
      child.once('exit', (code) => fail(new Error(`Podscope ended with code ${code}:\n${output}`)));
    });
    return { url, kubeconfig: /(\/\S*kubeconfig\S*)/.exec(output)?.[1] ?? join(stateDir, 'kubeconfig'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
