/** A Docker daemon of a test's own, in its own mount and network namespaces, that may be killed and started again. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/** The daemon. */
export interface SecondDockerd {
  readonly host: string;
  readonly directory: string;
  start(): Promise<void>;
  /** SIGKILL: its containers run on. */
  kill(): Promise<void>;
  /** Takes images from the machine's daemon. */
  load(...images: readonly string[]): Promise<void>;
  /** Ends it with its containers, and takes its files away. */
  remove(): Promise<void>;
}

/** Starts a daemon. @throws Error with its log when it does not come up. */
export async function secondDockerd(): Promise<SecondDockerd> {
  const directory = await mkdtemp(join(tmpdir(), 'dockerd-'));
  const host = `unix://${directory}/docker.sock`;
  const logPath = join(directory, 'dockerd.log');
  let daemon: ChildProcess | undefined;

  async function start(): Promise<void> {
    await mkdir(join(directory, 'exec'), { recursive: true });
    await rm(join(directory, 'docker.pid'), { force: true });
    const log = await open(logPath, 'a');
    const flags = ['data-root', 'exec-root', 'pidfile'].map((flag, index) => `--${flag}=${join(directory, ['data', 'exec', 'docker.pid'][index] ?? '')}`);
    const options = ['--bridge=none', '--iptables=false', '--live-restore', '--storage-driver=vfs', '--group=', '--log-level=warn'];
    // The mount namespace is shared by what it starts: containers that outlive it can be adopted by the next one in the same namespace.
    const command = ['-n', '-m', '--propagation', 'unchanged', 'dockerd', `--host=${host}`, ...flags, ...options];
    daemon = spawn('unshare', command, { stdio: ['ignore', log.fd, log.fd], detached: true });
    await log.close();
    const isUp = (): Promise<boolean> =>
      run('docker', ['--host', host, 'version', '--format', '{{.Server.Version}}']).then(
        () => true,
        () => false,
      );
    await waitUntil(isUp, 'the second Docker daemon').catch(async (cause: unknown) => {
      throw new Error(`the second Docker daemon does not come up: ${(await readFile(logPath, 'utf8')).slice(-2000)}`, { cause });
    });
  }

  async function kill(): Promise<void> {
    const ending = daemon;
    daemon = undefined;
    if (!ending) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    host,
    directory,
    start,
    kill,
    async load(...images) {
      const archive = join(directory, 'images.tar');
      await run('docker', ['save', '--output', archive, ...images]);
      await run('docker', ['--host', host, 'load', '--input', archive]);
      await rm(archive);
    },
    async remove() {
      if (!daemon) await start();
      const { stdout } = await run('docker', ['--host', host, 'ps', '--all', '--quiet', '--no-trunc']);
      const ids = stdout.split('\n').filter(Boolean);
      if (ids.length > 0) await run('docker', ['--host', host, 'rm', '--force', ...ids]);
      const ending = daemon;
      if (ending) {
        const exited = once(ending, 'exit');
        ending.kill('SIGTERM');
        await exited;
      }
      // Its containerd outlives a daemon that was killed.
      const pid = Number(await readFile(join(directory, 'exec', 'containerd', 'containerd.pid'), 'utf8').catch(() => '0'));
      if (pid > 0) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended with the daemon.
        }
      }
      await run('sh', ['-c', `grep -o ' ${directory}[^ ]*' /proc/self/mounts | sort -r | xargs -r umount -l`]).catch(() => undefined);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
