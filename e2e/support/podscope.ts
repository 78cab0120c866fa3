/** Starts the server in the way in which users start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KubeApi } from './kube-api.ts';

const main = resolve(import.meta.dirname, '../../apps/server/src/main.ts');

export interface PodscopeOptions {
  readonly runtime: 'docker' | 'sim' | `unix://${string}`;
  /** A state directory that is kept. Default: a new directory, which is removed at the end. */
  readonly stateDir?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A running server. */
export interface Podscope {
  /** Address of the page, including the token. */
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  readonly kubeconfig: string;
  readonly stateDir: string;
  /** The instance id in the labels of the server's containers; empty if it has no id. */
  readonly instance: string;
  readonly api: KubeApi;
  readonly process: ChildProcess;
  /** Returns the output so far. */
  output(): string;
  /** Sends SIGINT, like Ctrl+C, and resolves with the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL, to simulate a crash. The state directory is kept. */
  kill(): Promise<void>;
}

/**
 * Returns the option that skips the check whether the built page is current, because the check reads all sources of the
 * page.
 */
const noBuild = (): readonly string[] => (process.env['PODSCOPE_TEST_PAGE_IS_BUILT'] === '1' ? ['--no-build'] : []);

/**
 * Starts a server on a free port and waits until it prints its address.
 * @throws Error with its output if it exits earlier
 */
export async function startPodscope(options: PodscopeOptions): Promise<Podscope> {
  const ownState = options.stateDir === undefined;
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'podscope-test-')));
  const child = spawn(
    process.execPath,
    [main, '--runtime', options.runtime, '--port', '0', '--state-dir', stateDir, ...noBuild(), ...(options.args ?? [])],
    {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  const ready = new Promise<RegExpExecArray>((found, fail) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const match = /(http:\/\/[^\s/]+)\/\?token=([\w-]+)/.exec(text);
      // A server that only observes a cluster writes no kubeconfig.
      if (match && /\S*kubeconfig\S*|Ctrl\+C stops/.test(text)) found(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(new Error(`the server ended with code ${code}:\n${text}`)));
    child.once('error', fail);
  });
  const [url, origin = '', token = ''] = await ready.catch(async (error: unknown) => {
    if (ownState) await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
    throw error;
  });
  const instance = (await readFile(join(stateDir, 'instance'), 'utf8').catch(() => '')).trim();
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const kubeconfig = /(\/\S*kubeconfig\S*)/.exec(text)?.[1] ?? '';
  return {
    url,
    origin,
    token,
    kubeconfig,
    stateDir,
    instance,
    api: new KubeApi(origin, token),
    process: child,
    output: () => text,
    async stop() {
      if (child.exitCode === null) child.kill('SIGINT');
      const [code] = await exited;
      if (ownState) await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
      return code ?? -1;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Starts a server without building the page, for tests that don't open it. */
export const startWithoutPage = (options: PodscopeOptions): Promise<Podscope> =>
  startPodscope({ ...options, args: ['--no-build', ...(options.args ?? [])] });
