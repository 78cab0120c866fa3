/** A Podscope server for tests: its own state directory, a free port, gone at the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface PodscopeServerOptions {
  /** What runs the containers. Default: the simulator. */
  readonly runtime?: 'sim' | 'docker' | `unix://${string}`;
  /** More of the server's options, such as `--profile v1.20`. */
  readonly args?: readonly string[];
  /** The checkout of Podscope. Default: the one this package lies in. */
  readonly root?: string;
}

export interface PodscopeServer {
  /** Opens the page; has the token. */
  readonly url: string;
  /** For kubectl. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts a server and waits until it has said where it is. @throws Error with its output when it ends before */
export async function startPodscopeServer({ runtime = 'sim', args = [], root }: PodscopeServerOptions = {}): Promise<PodscopeServer> {
  const checkout = root ?? resolve(import.meta.dirname, '../../..');
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-playwright-'));
  const main = join(checkout, 'apps/server/src/main.ts');
  const child = spawn(process.execPath, [main, '--runtime', runtime, '--port', '0', '--state-dir', stateDir, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
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
  return {
    url,
    kubeconfig: /(\/\S*kubeconfig\S*)/.exec(output)?.[1] ?? join(stateDir, 'kubeconfig'),
    async stop() {
      if (child.exitCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGINT');
        await exited;
      }
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
