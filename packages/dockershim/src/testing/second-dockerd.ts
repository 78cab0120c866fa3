/** Starts a second Docker daemon in its own mount and network namespaces. A test may kill and restart it. */
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

export interface InsideOptions {
  readonly stdio?: StdioOptions;
  /** Whether to use the daemon's network namespace, too. Default: the machine's. */
  readonly network?: boolean;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A second Docker daemon. */
export interface SecondDockerd {
  readonly host: string;
  readonly directory: string;
  /** The pid of a process in the daemon's namespaces. */
  readonly namespaces: number;
  start(): Promise<void>;
  /** Kills the daemon. Its containers continue to run. */
  kill(): Promise<void>;
  /** Kills and restarts the daemon's containerd. */
  restartContainerd(): Promise<void>;
  /** Runs a program in the daemon's mount namespace. */
  spawnInside(command: readonly string[], options?: InsideOptions): ChildProcess;
  /** Copies images from the machine's daemon to this one. */
  load(...images: readonly string[]): Promise<void>;
  /** Stops the daemon and its containers, and removes its files. */
  remove(): Promise<void>;
}

export interface SecondDockerdOptions {
  /** Whether containers get a network in the daemon's namespace. Default: false. */
  readonly bridge?: boolean;
  /** The size of a file system for the daemon's data, in MiB. Default: the data is in a directory of the machine. */
  readonly dataMiB?: number;
}

/**
 * Starts a daemon.
 * @throws Error that contains the daemon's log if it doesn't start
 */
export async function secondDockerd({ bridge = false, dataMiB }: SecondDockerdOptions = {}): Promise<SecondDockerd> {
  const directory = await mkdtemp(join(tmpdir(), 'dockerd-'));
  const host = `unix://${directory}/docker.sock`;
  const logPath = join(directory, 'dockerd.log');
  // This process keeps the namespaces when the daemon is killed, so that the restarted daemon finds its containers in
  // them.
  const holder = spawn('unshare', ['--net', '--mount', 'sleep', 'infinity'], { stdio: 'ignore' });
  // Waits until the process has its own namespaces. Before that, the process is in the machine's namespaces.
  const own = await readlink('/proc/self/ns/mnt');
  await waitUntil(
    async () => (await readlink(`/proc/${holder.pid}/ns/mnt`)) !== own,
    'namespaces for the second Docker daemon',
  );
  const containerdSocket = join(directory, 'containerd.sock');
  let daemon: ChildProcess | undefined;

  const spawnInside: SecondDockerd['spawnInside'] = (command, { stdio = 'ignore', network = false, env } = {}) =>
    spawn('nsenter', ['--target', String(holder.pid), ...(network ? ['--net'] : []), '--mount', ...command], {
      stdio,
      detached: true,
      env: { ...process.env, ...env },
    });

  async function inside(...command: readonly string[]): Promise<ChildProcess> {
    const log = await open(logPath, 'a');
    const child = spawnInside(command, { stdio: ['ignore', log.fd, log.fd], network: true });
    await log.close();
    return child;
  }

  if (dataMiB !== undefined) {
    await mkdir(join(directory, 'data'));
    await run('nsenter', [
      '--target',
      String(holder.pid),
      '--mount',
      'mount',
      '-t',
      'tmpfs',
      '-o',
      `size=${dataMiB}m`,
      'tmpfs',
      join(directory, 'data'),
    ]);
  }

  // containerd is a separate process, which continues when the daemon is killed, as on a real machine.
  const config = join(directory, 'containerd.toml');
  await writeFile(
    config,
    `version = 2\nroot = "${directory}/containerd"\nstate = "${directory}/containerd-state"\ndisabled_plugins = ` +
      '["io.containerd.grpc.v1.cri"]\n',
  );
  const startContainerd = (): Promise<ChildProcess> =>
    inside('containerd', '--config', config, '--address', containerdSocket, '--log-level', 'warn');
  let containerd = await startContainerd();

  async function start(): Promise<void> {
    await rm(join(directory, 'docker.pid'), { force: true });
    const places = [
      `--data-root=${directory}/data`,
      `--exec-root=${directory}/exec`,
      `--pidfile=${directory}/docker.pid`,
      `--containerd=${containerdSocket}`,
    ];
    const network = bridge ? ['--ip-masq=false', '--ip-forward=false'] : ['--bridge=none'];
    const options = [
      ...network,
      '--iptables=false',
      '--live-restore',
      '--storage-driver=vfs',
      '--group=',
      '--log-level=warn',
    ];
    daemon = await inside('dockerd', `--host=${host}`, ...places, ...options);
    const isUp = (): Promise<boolean> =>
      run('docker', ['--host', host, 'version', '--format', '{{.Server.Version}}']).then(
        () => true,
        () => false,
      );
    await waitUntil(isUp, 'the second Docker daemon').catch(async (cause: unknown) => {
      throw new Error(`the second Docker daemon does not come up: ${(await readFile(logPath, 'utf8')).slice(-2000)}`, {
        cause,
      });
    });
  }

  async function kill(): Promise<void> {
    await end(daemon, 'SIGKILL');
    daemon = undefined;
  }

  await start();
  return {
    host,
    directory,
    namespaces: holder.pid ?? 0,
    start,
    kill,
    async restartContainerd() {
      await end(containerd, 'SIGKILL');
      containerd = await startContainerd();
    },
    spawnInside,
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
      await Promise.all([daemon, containerd].map((child) => end(child, 'SIGTERM')));
      await endShims(containerdSocket);
      // The mounts disappear together with the namespace.
      await end(holder, 'SIGKILL');
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Ends the shims of a containerd that was killed. The next containerd doesn't know the shims whose containers ended
 * while no containerd ran.
 * @param socket the address in the command lines of the shims
 */
async function endShims(socket: string): Promise<void> {
  const isShim = async (pid: string): Promise<boolean> => {
    const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return program.includes('containerd-shim') && args.includes(socket);
  };
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    if (await isShim(pid)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      await waitUntil(async () => !(await isShim(pid)), `the end of shim ${pid}`);
    }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
