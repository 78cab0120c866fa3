/**
 * Runs chaos in real time on a separate Docker daemon: daemon and containerd are killed, containers are killed, paused
 * and removed, disks fill up, the registry breaks connections in the middle of layers, and the server is restarted,
 * killed, suspended and has its clock changed.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@podscope/base';
import { EventStore } from '@podscope/server/runs';
import type { TraceEvent } from '@podscope/trace';
import { problemsOfEvents } from '../event-log-check.ts';
import { Dice } from '../schedule.ts';
import { manifestOf, problemOf, type ShapeName } from '../shapes.ts';
import { Engine, flakyImage } from './engine.ts';
import { type Delivery, ServerProcess, UnansweredError } from './server-process.ts';

export interface DockerChaosOptions {
  readonly seed: number;
  /**
   * How long faults are injected, in milliseconds: first each kind once, in an order that depends on the seed, then
   * random kinds.
   */
  readonly time?: number;
  /** The faults to inject, in order. If set, no random faults are injected and `time` is ignored. */
  readonly acts?: readonly DockerAct[];
  /**
   * Time limit for the recovery, and for the removal of all pods, in milliseconds. Default: the longest back-off, with
   * an allowance for a slow machine.
   */
  readonly timeout?: number;
}

/** The outcome of a run. */
export interface DockerChaosOutcome {
  readonly figures: readonly (readonly [what: string, count: number])[];
  /** Violated expectations; empty if the run passes. */
  readonly problems: readonly string[];
}

/** Time limit for the recovery, in milliseconds: the longest back-off, and an allowance for a slow machine. */
const comesRight = 420_000;
const shapes: readonly ShapeName[] = ['server', 'pair', 'init then server', 'sidecar', 'hooked', 'job', 'one attempt'];
const maxPods = 5;
/** Maximum time until the image of a new pod is requested, in milliseconds. */
const pullStarts = 20_000;
/** Maximum time until a requested fault finds a target, in milliseconds. */
const actStarts = 60_000;
/** Time after which a server that failed to write its store tries again, in milliseconds. */
const storeRetry = 7_000;

export type DockerAct =
  | 'create a pod'
  | 'delete a pod'
  | 'kill a container'
  | 'remove a container'
  | 'pause a container'
  | 'kill the daemon'
  | 'kill containerd'
  | 'registry breaks off'
  | 'fill the disk of the engine'
  | 'fill the disk of the server'
  | 'suspend the server'
  | 'clock jump'
  | 'restart the server'
  | 'kill the server';

/** Returns the manifest of a pod that always pulls its image. */
const pullingManifest = (name: string, image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: app, image: '${image}', ` +
  `imagePullPolicy: Always, command: [sleep, '1000000']}]}\n`;

class DockerChaos {
  readonly #engine: Engine;
  readonly #timeout: number;
  readonly #dice: Dice;
  readonly #wanted = new Map<string, ShapeName>();
  readonly #done = new Map<string, number>();
  readonly #deliveries: Delivery[] = [];
  readonly problems: string[] = [];
  #server: ServerProcess | undefined;
  #pods = 0;
  #servers = 0;
  #networkNamespaces = 0;

  constructor(engine: Engine, { seed, timeout = comesRight }: DockerChaosOptions) {
    this.#engine = engine;
    this.#timeout = timeout;
    this.#dice = new Dice(createRandom(seed).fork('docker'));
  }

  get #node(): ServerProcess {
    if (!this.#server) throw new Error('the server is down');
    return this.#server;
  }

  async start(): Promise<void> {
    const words = '--runtime docker --sandbox-image podscope/pause:local --keep-pods --pod-cgroups off --state-dir';
    this.#server = await ServerProcess.start(this.#engine.spawnInside, [...words.split(' '), this.#engine.stateDir]);
    if (this.#servers++ === 0) this.#networkNamespaces = (await this.#namespaces()).length;
    this.#deliveries.push(this.#server.delivery);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const code = await this.#server?.end(signal);
    if (signal === 'SIGTERM' && code !== undefined && code !== 0)
      this.problems.push(`the server ended with ${code}, not with 0`);
    this.#server = undefined;
  }

  #instance(): Promise<string> {
    return readFile(join(this.#engine.stateFiles, 'instance'), 'utf8').then((text) => text.trim());
  }

  /**
   * Returns Docker's network namespaces: one per sandbox and per foreign container. A killed daemon forgets some of
   * them.
   */
  #namespaces(): Promise<readonly string[]> {
    return readdir(join(this.#engine.daemon.directory, 'exec', 'netns')).catch(() => []);
  }

  async #someContainer(...filters: readonly string[]): Promise<string | undefined> {
    const ids = await this.#engine.containersOf(await this.#instance(), ...filters);
    return ids.length > 0 ? this.#dice.one(ids) : undefined;
  }

  /**
   * Creates a pod, and expects it to run only if the server acknowledges it.
   * @returns false if there are as many pods as allowed
   */
  async #create(shape: ShapeName, manifest: (name: string) => string): Promise<boolean> {
    if (this.#wanted.size >= maxPods) return false;
    const name = `p${this.#pods++}`;
    if (await this.#ask({ command: 'apply', manifest: manifest(name) })) this.#wanted.set(name, shape);
    return true;
  }

  async #ask(command: object): Promise<boolean> {
    try {
      await this.#node.ask(command);
      return true;
    } catch (error) {
      if (error instanceof UnansweredError) return false;
      throw error;
    }
  }

  /** The faults by kind. Each function injects one and resolves with false if it found no target. */
  readonly #acts: Readonly<Record<DockerAct, () => Promise<boolean>>> = {
    'create a pod': () => {
      const shape = this.#dice.one(shapes);
      return this.#create(shape, (name) => manifestOf(name, shape));
    },
    'delete a pod': async () => {
      if (this.#wanted.size === 0) return false;
      const name = this.#dice.one([...this.#wanted.keys()]);
      this.#wanted.delete(name);
      await this.#ask({
        command: 'deletePod',
        namespace: 'default',
        name,
        gracePeriodSeconds: this.#dice.one([0, 1, 5]),
      });
      return true;
    },
    'kill a container': () => this.#with('kill', 'status=running'),
    'remove a container': () => this.#with('rm', 'status=running'),
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
    'kill containerd': async () => {
      await this.#engine.daemon.restartContainerd();
      await pause(this.#dice.whole(1_000, 3_000));
      return true;
    },
    'registry breaks off': async () => {
      this.#engine.breakRegistry(true);
      const tag = `t${this.#pods}`;
      const before = this.#engine.brokenOff;
      const made = await this.#create('server', (name) => pullingManifest(name, flakyImage(tag)));
      const end = performance.now() + pullStarts;
      if (made) while (this.#engine.brokenOff === before && performance.now() < end) await pause(100);
      await pause(this.#dice.whole(1_000, 8_000));
      this.#engine.breakRegistry(false);
      return made;
    },
    'fill the disk of the engine': async () => {
      await this.#engine.fill('data');
      await pause(this.#dice.whole(1_000, 6_000));
      await this.#engine.free('data');
      return true;
    },
    'fill the disk of the server': async () => {
      await this.#engine.fill('state');
      const shape = this.#dice.one(shapes);
      await this.#create(shape, (name) => manifestOf(name, shape));
      await pause(this.#dice.whole(1_000, 6_000));
      await this.#engine.free('state');
      // While the store can't be written, the server sends events that are in memory only, and reports that.
      await pause(storeRetry);
      return true;
    },
    'suspend the server': async () => {
      this.#node.suspend('SIGSTOP');
      await pause(this.#dice.whole(500, 8_000));
      this.#node.suspend('SIGCONT');
      return true;
    },
    'clock jump': () => {
      this.#node.jump(this.#dice.one([-60_000, -2_000, 5_000, 45_000, 600_000]));
      return Promise.resolve(true);
    },
    'restart the server': async () => {
      await this.stop();
      await this.start();
      return true;
    },
    'kill the server': async () => {
      await this.stop('SIGKILL');
      await this.start();
      return true;
    },
  };

  async #with(what: 'kill' | 'rm', ...filters: readonly string[]): Promise<boolean> {
    const id = await this.#someContainer(...filters);
    // The container may be gone by now, because other faults run at the same time.
    if (id !== undefined)
      await this.#engine.docker(what, ...(what === 'rm' ? ['--force'] : []), id).catch(() => undefined);
    return id !== undefined;
  }

  /**
   * Injects faults.
   * @param reported called for each fault
   */
  async rage({ time = 0, acts }: DockerChaosOptions, reported: (act: DockerAct) => void): Promise<void> {
    const end = performance.now() + time;
    const kinds = Object.keys(this.#acts) as DockerAct[];
    const first = kinds.map((name) => ({ name, at: this.#dice.whole(0, 1_000_000) })).toSorted((a, b) => a.at - b.at);
    const turns: DockerAct[] = acts ? [...acts] : ['create a pod', 'create a pod', ...first.map(({ name }) => name)];
    while (acts ? turns.length > 0 : performance.now() < end) {
      const name = turns.shift() ?? this.#dice.one(['create a pod', 'create a pod', ...kinds]);
      reported(name);
      // A requested fault waits for its target: a container must run before it can be killed.
      const limit = performance.now() + (acts ? actStarts : 0);
      let done = await this.#acts[name]();
      while (!done && performance.now() < limit) {
        await pause(200);
        done = await this.#acts[name]();
      }
      if (done) this.#done.set(name, (this.#done.get(name) ?? 0) + 1);
      if (this.#server && !this.#server.runs) throw new Error(`the server ended after: ${name}`);
      await pause(this.#dice.whole(100, 2_000));
    }
  }

  async #wrongPods(): Promise<readonly string[]> {
    const pods = new Map((await this.#node.pods()).map((pod) => [pod.metadata.name, pod]));
    return [...this.#wanted].flatMap(([name, shape]) => {
      const pod = pods.get(name);
      const problem = pod ? problemOf(shape, pod) : 'it is lost';
      return problem === undefined ? [] : [`pod ${name} (${shape}): ${problem}`];
    });
  }

  async #until(complaints: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const end = performance.now() + this.#timeout;
    for (;;) {
      const found = await complaints();
      if (found.length === 0 || performance.now() > end) return found;
      await pause(500);
    }
  }

  /**
   * Returns descriptions of everything that is left of deleted pods: objects, containers, directories, checkpoints and
   * volumes.
   */
  async #leftovers(): Promise<readonly string[]> {
    const under = (path: string): Promise<readonly string[]> =>
      readdir(join(this.#engine.stateFiles, path)).catch(() => []);
    return [
      ...(await this.#node.pods()).map(({ metadata }) => `pod ${metadata.name} does not go`),
      ...(await this.#engine.containersOf(await this.#instance())).map((id) => `container ${id.slice(0, 12)} is left`),
      ...(await under('kubelet/pods')).map((name) => `the directory of pod ${name} is left`),
      ...(await under('dockershim/sandbox')).map((name) => `the checkpoint ${name} is left`),
      ...(await this.#engine.docker('volume', 'ls', '--quiet'))
        .split('\n')
        .flatMap((name) => (name === '' ? [] : [`the volume ${name} is left`])),
    ];
  }

  /**
   * Returns the problems of the stored runs: each must be gapless and contain at least the events that a client
   * received.
   */
  async #problemsOfStore(): Promise<{ readonly problems: readonly string[]; readonly events: number }> {
    const problems: string[] = [];
    let events = 0;
    // SQLite would resolve the path in the mount namespace of this process, so the files are copied first.
    const copy = await this.#engine.copyOfState('runs.db', 'runs.db-wal');
    const store = EventStore.openExisting(join(copy, 'runs.db'));
    try {
      const runs = new Map(store.list().map((summary) => [summary.id, summary]));
      for (const { run, last, problems: found } of this.#deliveries) {
        problems.push(...found.slice(0, 3));
        const kept = run === undefined ? undefined : runs.get(run);
        if (last > (kept?.lastSeq ?? 0))
          problems.push(`run ${run}: events up to ${last} were sent, and ${kept?.lastSeq ?? 'none'} are kept`);
      }
      for (const { id, lastSeq, state } of runs.values()) {
        events += lastSeq;
        problems.push(
          ...problemsOfEvents(eventsOf(store, id), 1, lastSeq, state === 'ended').map(
            (problem) => `run ${id}: ${problem}`,
          ),
        );
      }
    } finally {
      store.close();
    }
    return { problems, events };
  }

  /** Waits until all pods have recovered, deletes them, and waits until nothing is left. */
  async settle(): Promise<DockerChaosOutcome> {
    const lost = await this.#until(() => this.#wrongPods());
    const pods = this.#wanted.size;
    // The list also includes pods whose creation was never acknowledged.
    for (const { metadata } of await this.#node.pods())
      await this.#ask({ command: 'deletePod', namespace: 'default', name: metadata.name, gracePeriodSeconds: 1 });
    this.#wanted.clear();
    const leaked = await this.#until(() => this.#leftovers());
    const harmed = await this.#engine.harmed();
    const namespaces = (await this.#namespaces()).length - this.#networkNamespaces;
    await this.stop();
    const { problems, events } = await this.#problemsOfStore();
    this.problems.push(...lost, ...leaked, ...harmed, ...problems);
    const faults = [...this.#done.values()].reduce((sum, count) => sum + count, 0);
    const figures = [
      ['servers', this.#servers],
      ['pods made', this.#pods],
      ['pods checked', pods],
      ['lost', lost.length],
      ['leaked', leaked.length],
      ['others harmed', harmed.length],
      ['namespaces Docker forgot', namespaces],
      ['events kept', events],
      ['layers broken off', this.#engine.brokenOff],
      ['acts', faults],
      ...[...this.#done].toSorted(([, a], [, b]) => b - a).map(([name, count]) => [`  ${name}`, count] as const),
    ] as const;
    return { figures, problems: this.problems };
  }
}

function* eventsOf(store: EventStore, id: string): Generator<TraceEvent> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { texts, next } = store.textPage(id, { after, limit: 2_000 });
    for (const text of texts) yield JSON.parse(text) as TraceEvent;
    after = next;
  }
}

/**
 * Performs one run.
 * @param reported called for each fault
 */
export async function runChaosOnDocker(
  options: DockerChaosOptions,
  reported: (act: DockerAct) => void = () => undefined,
): Promise<DockerChaosOutcome> {
  const engine = await Engine.start();
  const chaos = new DockerChaos(engine, options);
  try {
    await engine.plant();
    await chaos.start();
    await chaos.rage(options, reported);
    return await chaos.settle();
  } finally {
    await chaos.stop('SIGKILL');
    await engine.remove();
  }
}

/** Performs one run and prints its faults and figures. @returns the exit code */
export async function runOnDocker(options: DockerChaosOptions): Promise<number> {
  const began = performance.now();
  const { figures, problems } = await runChaosOnDocker(options, (act) => {
    console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${act}`);
  });
  for (const [what, count] of figures) console.log(`${what.padEnd(30)}${count.toLocaleString('en')}`);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) console.log(`\nAgain: npx -y pnpm@12 chaos --runtime docker --seed ${options.seed}`);
  return problems.length > 0 ? 1 : 0;
}
