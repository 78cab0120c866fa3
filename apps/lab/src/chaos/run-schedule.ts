/** Runs one chaos schedule on the simulator and checks the invariants of its outcome. */
import type { Pod } from '@podscope/k8s';
import { ChaosNode } from './chaos-node.ts';
import { problemsOfLog } from './event-log-check.ts';
import { Performer } from './perform.ts';
import type { ActKind, Schedule } from './schedule.ts';
import { problemOf } from './shapes.ts';

const second = 1_000;
/** Time limit for the recovery: twice the longest back-off, and the effect of a clock jump. */
const comesRight = 40 * 60 * second;
/** Time limit for the removal of everything after all pods are deleted. */
const comesClean = 20 * 60 * second;
const lookInterval = 5 * second;
/** Larger than the number of events of any run. */
const retainedEvents = 1_000_000;

/** The outcome of a run. */
export interface RunOutcome {
  readonly seed: number;
  /** Violated invariants; empty if the run passes. */
  readonly problems: readonly string[];
  readonly done: ReadonlyMap<ActKind, number>;
  readonly pods: number;
  /** Number of acknowledged pods in a wrong state. */
  readonly lost: number;
  /** Number of sandboxes, containers, directories and timers left after all pods are deleted. */
  readonly leaked: number;
  readonly events: number;
  readonly calls: number;
  /** Duration in virtual milliseconds. */
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
    // Counts the timers of an idle node, as the baseline for leaks.
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

  /** Waits until no complaints are left. @returns the complaints at the end of the limit */
  async #until(limit: number, complaints: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const { time } = this.#node.clock;
    const end = time.now() + limit;
    for (;;) {
      const found = await complaints();
      if (found.length === 0 || time.now() >= end) return found;
      await time.advance(lookInterval);
    }
  }

  /** Waits for the recovery. @returns the number of pods in a wrong state */
  async #comesRight(): Promise<number> {
    const found = await this.#until(comesRight, async () => [...this.#wrongPods(), ...(await this.#surplus())]);
    this.problems.push(...found);
    return this.#wrongPods().length;
  }

  #wrongPods(): readonly string[] {
    const { storage } = this.#node.nodeHost.api;
    return [...this.#performer.wanted].flatMap(([name, { uid, shape }]) => {
      const pod = storage.get('Pod', 'default', name);
      if (!pod || pod.metadata.uid !== uid) return [`pod ${name} (${shape}) is lost`];
      const problem = this.#isMisled(pod) ? undefined : problemOf(shape, pod);
      return problem === undefined ? [] : [`pod ${name} (${shape}): ${problem}`];
    });
  }

  /**
   * Returns whether the pod is stuck because the clock was set back. The kubelet assumes that the container with the
   * latest creation time is the newest. If the clock was set back between two attempts, this container belongs to the
   * older attempt, so the kubelet requests the second attempt again and fails each time because the name is in use. The
   * genuine kubelet does the same.
   */
  #isMisled({ status }: Pod): boolean {
    const setBack = this.#schedule.acts.some(({ act }) => act.kind === 'clock jump' && act.by < 0);
    const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    return (
      setBack &&
      all.some(
        ({ state }) =>
          state?.waiting?.reason === 'CreateContainerError' && state.waiting.message?.includes('is already in use'),
      )
    );
  }

  /** Returns a description of each sandbox and container that no pod needs, and of each container that runs twice. */
  async #surplus(): Promise<readonly string[]> {
    const { observer } = this.#node;
    const wanted = new Map([...this.#performer.wanted].map(([name, { uid }]) => [uid, name]));
    const sandboxes = await observer.sandboxes();
    const containers = await observer.containers();
    const found: string[] = [];
    for (const { id, uid, pod } of sandboxes)
      if (!wanted.has(uid)) found.push(`sandbox ${id.slice(0, 12)} of pod ${pod} is left`);
    for (const uid of wanted.keys()) {
      const ready = sandboxes.filter((each) => each.uid === uid && each.state === 'SANDBOX_READY');
      if (ready.length > 1) found.push(`pod ${wanted.get(uid)} has ${ready.length} sandboxes`);
      const own = new Set(sandboxes.filter((each) => each.uid === uid).map(({ id }) => id));
      const running = containers
        .filter(({ sandbox, state }) => own.has(sandbox) && state === 'CONTAINER_RUNNING')
        .map(({ name }) => name);
      if (new Set(running).size < running.length)
        found.push(`pod ${wanted.get(uid)} runs a container twice: ${running.join(', ')}`);
    }
    const known = new Set(sandboxes.map(({ id }) => id));
    for (const { id, name, sandbox } of containers)
      if (!known.has(sandbox)) found.push(`container ${name} ${id.slice(0, 12)} has no sandbox`);
    return found;
  }

  /** Deletes all pods. @returns the number of leftovers */
  async #comesClean(idleTimers: number): Promise<number> {
    const { nodeHost, clock } = this.#node;
    for (const name of this.#performer.wanted.keys()) await nodeHost.commands.deletePod('default', name, undefined);
    this.#performer.wanted.clear();
    const found = await this.#until(comesClean, async () => {
      const left = nodeHost.api.storage.list('Pod').map(({ metadata }) => `pod ${metadata.name} does not go`);
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

/** Runs a schedule. Never rejects: an error becomes a problem of the run. */
export async function runSchedule(schedule: Schedule): Promise<RunOutcome> {
  const run = new Run(schedule);
  try {
    return await run.play();
  } catch (error) {
    const problems = [...run.problems, `the run failed: ${error instanceof Error ? error.stack : String(error)}`];
    return {
      seed: schedule.seed,
      problems,
      done: new Map(),
      pods: 0,
      lost: 0,
      leaked: 0,
      events: 0,
      calls: 0,
      simulated: 0,
    };
  }
}
