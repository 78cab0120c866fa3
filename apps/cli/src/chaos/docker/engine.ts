/** A Docker daemon of the run's own, by its command line; and containers of others on it, which nobody may touch. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type SecondDockerd, secondDockerd } from '@podscope/dockershim/testing/second-dockerd';

const run = promisify(execFile);
const image = 'busybox:1.36';

/** What must not change of a container of somebody else. */
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

/** Names and labels as a kubelet gives them, and as another installation of Podscope would. */
const lookAlikes: readonly (readonly [name: string, labels: readonly string[]])[] = [
  ['k8s_app_web_default_00000000-0000-0000-0000-000000000000_0', kubeletLabels],
  ['k8s_POD_web_default_00000000-0000-0000-0000-000000000000_0', ['io.kubernetes.docker.type=podsandbox', 'io.podscope.instance=another']],
  ['k8s_app_p0_default_11111111-1111-1111-1111-111111111111_0', [...kubeletLabels, 'io.podscope.instance=another']],
  ['somebody-elses', []],
];

export class Engine {
  readonly daemon: SecondDockerd;
  #strangers: readonly Stranger[] = [];

  private constructor(daemon: SecondDockerd) {
    this.daemon = daemon;
  }

  static async start(): Promise<Engine> {
    const daemon = await secondDockerd({ bridge: true });
    await daemon.load(image, 'podscope/pause:local');
    return new Engine(daemon);
  }

  async docker(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', ['--host', this.daemon.host, ...args]);
    return stdout.trim();
  }

  /** Puts containers of others on the engine. */
  async plant(): Promise<void> {
    for (const [name, labels] of lookAlikes)
      await this.docker('run', '--detach', '--network=none', `--name=${name}`, ...labels.map((label) => `--label=${label}`), image, 'sleep', '1000000');
    this.#strangers = await this.#look();
  }

  #look(): Promise<readonly Stranger[]> {
    return Promise.all(
      lookAlikes.map(async ([name]) => ({
        name,
        state: await this.docker('inspect', '--format', '{{.Id}} {{.State.Status}} {{.State.StartedAt}} {{.State.Pid}} {{.RestartCount}}', name).catch(
          () => 'gone',
        ),
      })),
    );
  }

  /** What has become of containers of others; empty when they are as they were. */
  async harmed(): Promise<readonly string[]> {
    const now = await this.#look();
    return now
      .filter(({ state }, index) => state !== this.#strangers[index]?.state)
      .map(({ name, state }) => `the container ${name} of somebody else is now ${state}`);
  }

  /** Containers of an installation: ids, newest first. */
  async containersOf(instance: string, ...filters: readonly string[]): Promise<readonly string[]> {
    const all = [`label=io.podscope.instance=${instance}`, ...filters].flatMap((filter) => ['--filter', filter]);
    return (await this.docker('ps', '--all', '--quiet', '--no-trunc', ...all)).split('\n').filter(Boolean);
  }
}
