/** Runs a separate Docker daemon with foreign containers that Podscope must not touch. */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SecondDockerd, secondDockerd } from '@podscope/dockershim/testing/second-dockerd';

const run = promisify(execFile);
const image = 'busybox:1.36';
const registryPort = 5_000;

/** Returns an image whose pulls fail while the registry breaks connections. */
export const flakyImage = (tag: string): string => `127.0.0.1:${registryPort}/flaky:${tag}`;

/** Sizes of the run's own file systems in MiB. */
const dataMiB = 1_024;
const stateMiB = 256;

/** The part of a foreign container that must not change. */
interface Stranger {
  readonly name: string;
  readonly state: string;
}

const kubeletLabels = [
  'io.kubernetes.pod.name=web',
  'io.kubernetes.pod.namespace=default',
  'io.kubernetes.container.name=app',
  'io.kubernetes.docker.type=container',
];

/** Names and labels that look like those of a kubelet's containers, or of another installation of Podscope. */
const lookAlikes: readonly (readonly [name: string, labels: readonly string[]])[] = [
  ['k8s_app_web_default_00000000-0000-0000-0000-000000000000_0', kubeletLabels],
  [
    'k8s_POD_web_default_00000000-0000-0000-0000-000000000000_0',
    ['io.kubernetes.docker.type=podsandbox', 'io.podscope.instance=another'],
  ],
  ['k8s_app_p0_default_11111111-1111-1111-1111-111111111111_0', [...kubeletLabels, 'io.podscope.instance=another']],
  ['somebody-elses', []],
];

/** The file system to fill, as seen in the daemon's mount namespace. */
export type Disk = 'data' | 'state';

export class Engine {
  readonly daemon: SecondDockerd;
  /** Number of layers whose transfer the registry has broken off. */
  brokenOff = 0;
  readonly #registry: ChildProcess;
  #others: readonly Stranger[] = [];

  private constructor(daemon: SecondDockerd, registry: ChildProcess) {
    this.daemon = daemon;
    this.#registry = registry;
    registry.on('message', (message) => {
      if (message === 'broken') this.brokenOff += 1;
    });
  }

  /**
   * Starts a daemon with the images, a registry that only this daemon can reach, and a small file system for a server's
   * state.
   */
  static async start(): Promise<Engine> {
    const daemon = await secondDockerd({ bridge: true, dataMiB });
    try {
      await daemon.load(image, 'podscope/pause:local');
      const saved = join(daemon.directory, 'saved');
      await mkdir(saved);
      await run('sh', ['-c', 'docker save "$1" | tar -x -C "$2"', 'sh', image, saved]);
      const state = join(daemon.directory, 'state');
      await mkdir(state);
      await ended(daemon.spawnInside(['mount', '-t', 'tmpfs', '-o', `size=${stateMiB}m`, 'tmpfs', state]));
      await ended(daemon.spawnInside(['ip', 'link', 'set', 'lo', 'up'], { network: true }));
      const program = join(import.meta.dirname, 'flaky-registry.process.ts');
      const registry = daemon.spawnInside([process.execPath, program, String(registryPort), saved], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        network: true,
      });
      await once(registry, 'message');
      return new Engine(daemon, registry);
    } catch (error) {
      await daemon.remove();
      throw error;
    }
  }

  /** Path of the state directory inside the daemon's mount namespace. */
  get stateDir(): string {
    return join(this.daemon.directory, 'state');
  }

  /** Path of the state directory from outside the daemon's mount namespace. */
  get stateFiles(): string {
    return join(`/proc/${this.daemon.namespaces}/root`, this.stateDir);
  }

  /** Copies files out of the state directory. Missing files are ignored. @returns the directory with the copies */
  async copyOfState(...names: readonly string[]): Promise<string> {
    const copies = await mkdtemp(join(this.daemon.directory, 'copy-'));
    const present = names.filter((name) => existsSync(join(this.stateFiles, name)));
    await Promise.all(present.map((name) => copyFile(join(this.stateFiles, name), join(copies, name))));
    return copies;
  }

  /**
   * Starts a program in the daemon's mount namespace with this daemon as DOCKER_HOST. The program can receive messages
   * from this process.
   */
  readonly spawnInside = (command: readonly string[]): ChildProcess =>
    this.daemon.spawnInside(command, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { DOCKER_HOST: this.daemon.host },
    });

  /** Sets whether the registry breaks connections in the middle of layers. */
  breakRegistry(broken: boolean): void {
    this.#registry.send(broken ? 'break' : 'serve');
  }

  /** Fills a disk completely. */
  async fill(disk: Disk): Promise<void> {
    await ended(this.daemon.spawnInside(['sh', '-c', 'cat /dev/zero > "$1"', 'sh', this.#ballast(disk)]));
  }

  async free(disk: Disk): Promise<void> {
    await ended(this.daemon.spawnInside(['rm', '-f', this.#ballast(disk)]));
  }

  #ballast(disk: Disk): string {
    return join(this.daemon.directory, disk, 'ballast');
  }

  /** Stops the daemon and the registry and removes their files. */
  async remove(): Promise<void> {
    await end(this.#registry);
    await this.daemon.remove();
  }

  async docker(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', ['--host', this.daemon.host, ...args]);
    return stdout.trim();
  }

  /** Creates foreign containers on the engine. */
  async plant(): Promise<void> {
    for (const [name, labels] of lookAlikes)
      await this.docker(
        'run',
        '--detach',
        '--network=none',
        `--name=${name}`,
        ...labels.map((label) => `--label=${label}`),
        image,
        'sleep',
        '1000000',
      );
    this.#others = await this.#look();
  }

  #look(): Promise<readonly Stranger[]> {
    return Promise.all(
      lookAlikes.map(async ([name]) => ({
        name,
        state: await this.docker(
          'inspect',
          '--format',
          '{{.Id}} {{.State.Status}} {{.State.StartedAt}} {{.State.Pid}} {{.RestartCount}}',
          name,
        ).catch(() => 'gone'),
      })),
    );
  }

  /** Returns the changes of foreign containers; empty if they are unchanged. */
  async harmed(): Promise<readonly string[]> {
    const now = await this.#look();
    return now
      .filter(({ state }, index) => state !== this.#others[index]?.state)
      .map(({ name, state }) => `the container ${name} of somebody else is now ${state}`);
  }

  /** Returns the ids of an installation's containers, newest first. */
  async containersOf(instance: string, ...filters: readonly string[]): Promise<readonly string[]> {
    const all = [`label=io.podscope.instance=${instance}`, ...filters].flatMap((filter) => ['--filter', filter]);
    return (await this.docker('ps', '--all', '--quiet', '--no-trunc', ...all)).split('\n').filter(Boolean);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await ended(child);
}
