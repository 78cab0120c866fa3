/** Starts a Podscope server for tests, with its own state directory and a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './program.ts';
import type { SimulationDocument } from './simulation.ts';

export interface PodscopeServerOptions {
  /** The container runtime. Default: the simulator. */
  readonly runtime?: 'sim' | 'docker' | `unix://${string}`;
  /** Settings of the simulated node. The seed is 1 unless the settings contain another one. */
  readonly simulation?: SimulationDocument;
  /** Additional options of the server, such as `--profile v1.20`. */
  readonly args?: readonly string[];
  /** A checkout of Podscope. Default: the environment variable `PODSCOPE_ROOT`, else the npm package `podscope`. */
  readonly root?: string;
}

export interface PodscopeServer {
  /** The address of the page, with the token. */
  readonly url: string;
  /** Path of the kubeconfig for kubectl. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts a server and waits until it has printed its address. @throws Error with its output if it exits before */
export async function startPodscopeServer({
  runtime = 'sim',
  simulation,
  args = [],
  root,
}: PodscopeServerOptions = {}): Promise<PodscopeServer> {
  const { command, args: program } = findProgram(root);
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-playwright-'));
  const simulationFile = join(stateDir, 'simulation.json');
  if (runtime === 'sim') await writeFile(simulationFile, JSON.stringify({ seed: 1, ...simulation }));
  const child = spawn(
    command,
    [
      ...program,
      '--runtime',
      runtime,
      '--port',
      '0',
      '--state-dir',
      stateDir,
      ...(runtime === 'sim' ? ['--simulation', simulationFile] : []),
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
