/** Chaos in real time, on a Docker daemon of its own: it is killed, its containers are killed, paused and removed, the server restarts. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, parseCommandLine, type RunningServer, startServer } from '@podscope/server/embed';
import { createRandom } from '@podscope/simulator';
import type { EventLog } from '@podscope/trace';
import { problemsOfLog } from '../event-log-check.ts';
import { Dice } from '../schedule.ts';
import { manifestOf, problemOf, type ShapeName } from '../shapes.ts';
import { Engine } from './engine.ts';

export interface DockerChaosOptions {
  readonly seed: number;
  /** How long things go wrong, in milliseconds. */
  readonly time: number;
}

/** Once all is well, so long may it take, in milliseconds. */
const comesRight = 300_000;
const shapes: readonly ShapeName[] = ['server', 'pair', 'init then server', 'sidecar', 'hooked', 'job', 'one attempt'];
const maxPods = 5;

class DockerChaos {
  readonly #engine: Engine;
  readonly #dice: Dice;
  readonly #stateDir: string;
  readonly #wanted = new Map<string, ShapeName>();
  readonly #done = new Map<string, number>();
  readonly #logs: EventLog[] = [];
  #server: RunningServer | undefined;
  #pods = 0;

  constructor(engine: Engine, seed: number, stateDir: string) {
    this.#engine = engine;
    this.#dice = new Dice(createRandom(seed).fork('docker'));
    this.#stateDir = stateDir;
  }

  get #node(): RunningServer {
    if (!this.#server) throw new Error('the server is down');
    return this.#server;
  }

  async start(): Promise<void> {
    const words = '--runtime docker --port 0 --sandbox-image podscope/pause:local --keep-pods --pod-cgroups off --state-dir';
    const parsed = parseCommandLine([...words.split(' '), this.#stateDir]);
    if (parsed.action !== 'serve') throw new Error('the options ask for no server');
    this.#server = await startServer(parsed.options, {
      logger: createLogger('silent'),
      notify: () => undefined,
      preparePage: () => Promise.resolve(undefined),
    });
    this.#logs.push(this.#server.cluster.log);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  #instance(): Promise<string> {
    return readFile(join(this.#stateDir, 'instance'), 'utf8').then((text) => text.trim());
  }

  async #someContainer(...filters: readonly string[]): Promise<string | undefined> {
    const ids = await this.#engine.containersOf(await this.#instance(), ...filters);
    return ids.length > 0 ? this.#dice.one(ids) : undefined;
  }

  /** Ways for things to go wrong. @returns whether there was something to do it to */
  readonly #acts: Readonly<Record<string, () => Promise<boolean>>> = {
    'create a pod': async () => {
      if (this.#wanted.size >= maxPods) return false;
      const name = `p${this.#pods++}`;
      const shape = this.#dice.one(shapes);
      const { errors } = await this.#node.cluster.commands.apply(manifestOf(name, shape));
      if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
      this.#wanted.set(name, shape);
      return true;
    },
    'delete a pod': async () => {
      if (this.#wanted.size === 0) return false;
      const name = this.#dice.one([...this.#wanted.keys()]);
      await this.#node.cluster.commands.deletePod('default', name, this.#dice.one([0, 1, 5]));
      this.#wanted.delete(name);
      return true;
    },
    'kill a container': async () => this.#with('kill', 'status=running'),
    'remove a container': async () => this.#with('rm', 'status=running'),
    'pause a container': async () => {
      const id = await this.#someContainer('status=running');
      if (id === undefined) return false;
      await this.#engine.docker('pause', id).catch(() => undefined);
      await pause(this.#dice.whole(200, 3_000));
      await this.#engine.docker('unpause', id).catch(() => undefined);
      return true;
    },
    'kill the daemon': async () => {
      await this.#engine.daemon.kill();
      await pause(this.#dice.whole(200, 4_000));
      await this.#engine.daemon.start();
      return true;
    },
    'restart the server': async () => {
      await this.stop();
      await this.start();
      return true;
    },
  };

  async #with(what: 'kill' | 'rm', ...filters: readonly string[]): Promise<boolean> {
    const id = await this.#someContainer(...filters);
    // It may be gone by now: that is what chaos is.
    if (id !== undefined) await this.#engine.docker(what, ...(what === 'rm' ? ['--force'] : []), id).catch(() => undefined);
    return id !== undefined;
  }

  /** Lets things go wrong for so long. */
  async rage(time: number): Promise<void> {
    const end = performance.now() + time;
    const names = ['create a pod', 'create a pod', ...Object.keys(this.#acts)];
    while (performance.now() < end) {
      const name = this.#dice.one(names);
      if (await this.#acts[name]?.()) this.#done.set(name, (this.#done.get(name) ?? 0) + 1);
      await pause(this.#dice.whole(100, 2_000));
    }
  }

  #wrongPods(): readonly string[] {
    const { storage } = this.#node.cluster;
    return [...this.#wanted].flatMap(([name, shape]) => {
      const pod = storage.get('Pod', 'default', name);
      const problem = pod ? problemOf(shape, pod) : 'it is lost';
      return problem === undefined ? [] : [`pod ${name} (${shape}): ${problem}`];
    });
  }

  async #until(complaints: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const end = performance.now() + comesRight;
    for (;;) {
      const found = await complaints();
      if (found.length === 0 || performance.now() > end) return found;
      await pause(500);
    }
  }

  /** Waits until all is right, and then until nothing is left. @returns the problems, and the figures as text */
  async settle(): Promise<{ readonly problems: readonly string[]; readonly text: string }> {
    const lost = await this.#until(() => Promise.resolve(this.#wrongPods()));
    const pods = this.#wanted.size;
    for (const name of this.#wanted.keys()) await this.#node.cluster.commands.deletePod('default', name, 1);
    this.#wanted.clear();
    const instance = await this.#instance();
    const leaked = await this.#until(async () => [
      ...this.#node.cluster.storage.list('Pod').map(({ metadata }) => `pod ${metadata.name} does not go`),
      ...(await this.#engine.containersOf(instance)).map((id) => `container ${id.slice(0, 12)} is left`),
    ]);
    const harmed = await this.#engine.harmed();
    await this.stop();
    const gaps = this.#logs.flatMap(problemsOfLog);
    const rows = [
      ['pods made', this.#pods],
      ['pods checked', pods],
      ['lost', lost.length],
      ['leaked', leaked.length],
      ['others harmed', harmed.length],
      ['events', this.#logs.reduce((sum, log) => sum + log.lastSeq, 0)],
      ...[...this.#done].toSorted(([, a], [, b]) => b - a).map(([name, count]) => [`  ${name}`, count] as const),
    ] as const;
    return {
      problems: [...lost, ...leaked, ...harmed, ...gaps],
      text: rows.map(([name, count]) => `${name.padEnd(24)}${count.toLocaleString('en')}`).join('\n'),
    };
  }
}

/** One run. @returns the exit code */
export async function runOnDocker({ seed, time }: DockerChaosOptions): Promise<number> {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-chaos-'));
  const before = process.env['DOCKER_HOST'];
  const engine = await Engine.start();
  const chaos = new DockerChaos(engine, seed, stateDir);
  try {
    process.env['DOCKER_HOST'] = engine.daemon.host;
    await engine.plant();
    await chaos.start();
    await chaos.rage(time);
    const { problems, text } = await chaos.settle();
    console.log(text);
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) console.log(`\nAgain: npx -y pnpm@12 chaos --runtime docker --seed ${seed}`);
    return problems.length > 0 ? 1 : 0;
  } finally {
    await chaos.stop();
    if (before === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = before;
    await engine.daemon.remove();
    await rm(stateDir, { recursive: true, force: true });
  }
}
