/** One run of chaos on the simulator, and what must hold of it. */
import type { Pod } from '@podscope/k8s';
import { ChaosNode } from './chaos-node.ts';
import { problemsOfLog } from './event-log-check.ts';
import { Performer } from './perform.ts';
import type { ActKind, Schedule } from './schedule.ts';
import { problemOf } from './shapes.ts';

const second = 1_000;
/** Once all is well, everything has to have come right within this: two of the longest back-offs, and what a jump of the clock adds. */
const comesRight = 40 * 60 * second;
/** Once nothing is wanted any more, everything has to be gone within this. */
const comesClean = 20 * 60 * second;
const lookInterval = 5 * second;
/** More than any run has. */
const retainedEvents = 1_000_000;

/** How a run went. */
export interface RunOutcome {
  readonly seed: number;
  /** What does not hold; empty when all does. */
  readonly problems: readonly string[];
  readonly done: ReadonlyMap<ActKind, number>;
  readonly pods: number;
  /** Pods that were acknowledged and are not as they have to be. */
  readonly lost: number;
  /** Sandboxes, containers, directories and timers that nobody wants any more. */
  readonly leaked: number;
  readonly events: number;
  readonly calls: number;
  /** Virtual milliseconds. */
  readonly simulated: number;
}

class Run {
  readonly #schedule: Schedule;
  readonly #node: ChaosNode;
  readonly #performer: Performer;
  readonly problems: string[] = [];

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#node = new ChaosNode(schedule.seed, retainedEvents);
    this.#performer = new Performer(this.#node);
  }

  async play(): Promise<RunOutcome> {
    const { seed, acts, calmAt } = this.#schedule;
    const { clock, observer, errors, logs } = this.#node;
    await this.#node.start();
    const began = clock.time.now();
    // Timers of a node that has nothing to do.
    await clock.time.advance(2 * second);
    const idleTimers = clock.live;
    for (const { at, act } of acts) {
      await clock.time.advanceTo((began + at) as never);
      await this.#performer.perform(act);
    }
    await clock.time.advanceTo((began + calmAt) as never);
    this.#performer.calm();
    const pods = this.#performer.wanted.size;
    const lost = await this.#comesRight();
    const leaked = await this.#comesClean(idleTimers);
    await this.#node.stop();
    if (clock.live > 0) this.problems.push(`${clock.live} timers outlive the server`);
    this.problems.push(...observer.violations, ...errors, ...logs.flatMap(problemsOfLog));
    return {
      seed,
      problems: this.problems,
      done: this.#performer.done,
      pods,
      lost,
      leaked,
      events: logs.reduce((sum, log) => sum + log.lastSeq, 0),
      calls: observer.calls,
      simulated: clock.time.now() - began,
    };
  }

  /** Waits until there is nothing to complain of. @returns the last complaints */
  async #until(limit: number, complaints: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const { time } = this.#node.clock;
    const end = time.now() + limit;
    for (;;) {
      const found = await complaints();
      if (found.length === 0 || time.now() >= end) return found;
      await time.advance(lookInterval);
    }
  }

  /** @returns how many pods are not as they have to be */
  async #comesRight(): Promise<number> {
    const found = await this.#until(comesRight, async () => [...this.#wrongPods(), ...(await this.#surplus())]);
    this.problems.push(...found);
    return this.#wrongPods().length;
  }

  #wrongPods(): readonly string[] {
    const { storage } = this.#node.cluster;
    return [...this.#performer.wanted].flatMap(([name, { uid, shape }]) => {
      const pod = storage.get('Pod', 'default', name);
      if (!pod || pod.metadata.uid !== uid) return [`pod ${name} (${shape}) is lost`];
      const problem = this.#isMisled(pod) ? undefined : problemOf(shape, pod);
      return problem === undefined ? [] : [`pod ${name} (${shape}): ${problem}`];
    });
  }

  /**
   * The kubelet takes the container that was created last for the newest. When the clock was set back between two attempts that is the older
   * one; it asks for the second attempt again, and says for ever that its name is taken. The real one does too.
   */
  #isMisled({ status }: Pod): boolean {
    const setBack = this.#schedule.acts.some(({ act }) => act.kind === 'clock jump' && act.by < 0);
    const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    return setBack && all.some(({ state }) => state?.waiting?.reason === 'CreateContainerError' && state.waiting.message?.includes('is already in use'));
  }

  /** What the runtime has beyond what the pods need. */
  async #surplus(): Promise<readonly string[]> {
    const { observer } = this.#node;
    const wanted = new Map([...this.#performer.wanted].map(([name, { uid }]) => [uid, name]));
    const sandboxes = await observer.sandboxes();
    const containers = await observer.containers();
    const found: string[] = [];
    for (const { id, uid, pod } of sandboxes) if (!wanted.has(uid)) found.push(`sandbox ${id.slice(0, 12)} of pod ${pod} is left`);
    for (const uid of wanted.keys()) {
      const ready = sandboxes.filter((each) => each.uid === uid && each.state === 'SANDBOX_READY');
      if (ready.length > 1) found.push(`pod ${wanted.get(uid)} has ${ready.length} sandboxes`);
      const own = new Set(sandboxes.filter((each) => each.uid === uid).map(({ id }) => id));
      const running = containers.filter(({ sandbox, state }) => own.has(sandbox) && state === 'CONTAINER_RUNNING').map(({ name }) => name);
      if (new Set(running).size < running.length) found.push(`pod ${wanted.get(uid)} runs a container twice: ${running.join(', ')}`);
    }
    const known = new Set(sandboxes.map(({ id }) => id));
    for (const { id, name, sandbox } of containers) if (!known.has(sandbox)) found.push(`container ${name} ${id.slice(0, 12)} has no sandbox`);
    return found;
  }

  /** Deletes all pods. @returns what is left of them */
  async #comesClean(idleTimers: number): Promise<number> {
    const { cluster, clock } = this.#node;
    for (const name of this.#performer.wanted.keys()) await cluster.commands.deletePod('default', name, undefined);
    this.#performer.wanted.clear();
    const found = await this.#until(comesClean, async () => {
      const left = cluster.storage.list('Pod').map(({ metadata }) => `pod ${metadata.name} does not go`);
      const timers = clock.live > idleTimers ? [`${clock.live - idleTimers} timers are left`] : [];
      return [...left, ...(await this.#surplus()), ...(await this.#files()), ...timers];
    });
    this.problems.push(...found);
    return found.length;
  }

  async #files(): Promise<readonly string[]> {
    const left = await this.#node.os.readDir('/var/lib/kubelet/pods').catch(() => []);
    return left.map((name) => `the directory of pod ${name} is left`);
  }
}

/** Plays a schedule. Never rejects: what fails is a problem of the run. */
export async function runSchedule(schedule: Schedule): Promise<RunOutcome> {
  const run = new Run(schedule);
  try {
    return await run.play();
  } catch (error) {
    const problems = [...run.problems, `the run failed: ${error instanceof Error ? error.stack : String(error)}`];
    return { seed: schedule.seed, problems, done: new Map(), pods: 0, lost: 0, leaked: 0, events: 0, calls: 0, simulated: 0 };
  }
}
