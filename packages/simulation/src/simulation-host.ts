/**
 * A simulated node with clients: time passes as they say, what they do is kept, and the run can be run again from any instant with a
 * change. Serves sessions like a server does; the page's Web Worker and `--runtime sim` stand on it.
 */
import { ApiError, type Session, type Transport } from '@podscope/cluster';
import type { Command } from '@podscope/protocol';
import type { Clock, Instant } from '@podscope/trace';
import { changesRun, type Input, type RecordedInput } from './recorded-input.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';
import { timeCommandHandlers } from './time-commands.ts';
import { TimeDriver, type TimeState } from './time-driver.ts';

export interface SimulationHostOptions {
  readonly simulation?: Omit<SimulationOptions, 'pacing' | 'time' | 'run' | 'repeats'>;
  /** Real time. */
  readonly real: Clock;
  readonly speed?: number;
  readonly paused?: boolean;
  /** Names this run among others of the same seed. */
  readonly run: string;
  /** Features that bring commands of their own; called for each simulation before it starts. */
  readonly extend?: (simulation: Simulation) => void;
  /** What the node finds when it starts, also when the run is run again; called before it starts. */
  readonly prepare?: (simulation: Simulation) => Promise<void>;
  /** What every run begins with, also when it is run again; called once the node has started, before time passes. */
  readonly begin?: (simulation: Simulation) => Promise<void>;
  /** Told when the run has been run again, before anybody is let in: {@link SimulationHost.simulation} is another one now. */
  readonly onRerun?: () => void;
}

/** Where a run is run again from. */
export interface RerunPoint {
  /** The last event that happens as it did. */
  readonly seq: number;
  /** What is done differently from there on: performed at that instant, before time passes. */
  readonly changes?: readonly Command[];
}

/** A simulation with all that belongs to this one life of the run. */
interface Life {
  readonly simulation: Simulation;
  readonly driver: TimeDriver;
  readonly inputs: RecordedInput[];
}

/** Not to be waited for when a run is repeated: what it takes to reach the point is known to be less. */
const maxReplay = 10_000_000;

export class SimulationHost {
  readonly #options: SimulationHostOptions;
  #life: Life;
  #runs = 1;
  #ready: Promise<void> = Promise.resolve();
  /** Stands for the clients of the run that was repeated until the first of them is back, so that what stood still does not go on. */
  #endStandIn: (() => void) | undefined;

  constructor(options: SimulationHostOptions) {
    this.#options = options;
    this.#life = this.#create(options.run, { speed: options.speed, paused: options.paused });
  }

  get simulation(): Simulation {
    return this.#life.simulation;
  }

  get time(): TimeDriver {
    return this.#life.driver;
  }

  /** Resolves once no run is being run again: whoever comes in the meantime would change what is repeated. Never rejects. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** What was done to the run so far. */
  get inputs(): readonly RecordedInput[] {
    return this.#life.inputs;
  }

  /** Starts the node, and time. */
  async start(): Promise<void> {
    await this.#begin();
    this.time.start();
  }

  async #begin(): Promise<void> {
    await this.#options.prepare?.(this.simulation);
    await this.simulation.start();
    await this.#options.begin?.(this.simulation);
  }

  /** Ends time, node and sessions; pods stay as they are, unless it is said otherwise. */
  async stop(options?: Parameters<Simulation['stop']>[0]): Promise<void> {
    await this.#ready;
    await this.time.stop();
    await this.simulation.stop(options);
  }

  /** Serves a client until the transport is closed: then call the session's `closed`. Wait until the host is {@link ready}. */
  connect(transport: Transport): Session {
    const session = this.simulation.cluster.connect(transport);
    this.#relieveStandIn();
    return session;
  }

  /** Counts a client of the debugger that has no session, until the returned function is called. */
  attach(): () => void {
    const detach = this.simulation.cluster.debugger.attach();
    this.#relieveStandIn();
    return detach;
  }

  #relieveStandIn(): void {
    this.#endStandIn?.();
    this.#endStandIn = undefined;
  }

  /** Performs a command as a client would, and keeps it. @throws what the command throws */
  perform(command: Command): Promise<unknown> {
    return this.simulation.cluster.commandTable.run(command, { signal: new AbortController().signal });
  }

  /**
   * Begins the run anew, does again what was done up to `point`, and stands still there, paused: what happens next is for the client to
   * say. Its clients are sent away and come back to the new run.
   */
  rerun(point: RerunPoint): Promise<void> {
    const done = this.#ready.then(() => this.#rerun(point));
    this.#ready = done.catch(() => undefined);
    return done;
  }

  async #rerun({ seq, changes = [] }: RerunPoint): Promise<void> {
    const inputs = this.inputs.filter(({ after }) => after < seq);
    const { speed } = this.time.state;
    await this.time.stop();
    const [last] = this.simulation.cluster.log.after(seq - 1, 1);
    const repeats = { run: this.#nameOf(this.#runs), seq };
    const next = this.#nameOf(++this.#runs);
    await this.simulation.stop({ reason: 'The run begins anew.', next });
    this.#endStandIn = undefined;
    this.#life = this.#create(next, { speed, paused: true, repeats });
    await this.#begin();
    const { clock, cluster } = this.simulation;
    for (const input of inputs) {
      while (clock.fired < input.fired && (await clock.fireNext(input.at)));
      if (clock.now() < input.at) await clock.advanceTo(input.at);
      await this.#repeat(input);
    }
    // Not beyond the event's instant: what was typed into a container is not repeated, and its events are missing.
    const end = (last?.seq === seq ? last.time : Number.MAX_SAFE_INTEGER) as Instant;
    for (let turns = 0; cluster.log.lastSeq < seq && turns < maxReplay; turns++) if (!(await clock.fireNext(end))) break;
    for (const change of changes) await this.perform(change);
    this.#options.onRerun?.();
    this.time.start();
  }

  #nameOf(life: number): string {
    return life === 1 ? this.#options.run : `${this.#options.run}-${life}`;
  }

  async #repeat(input: RecordedInput): Promise<void> {
    if ('command' in input) {
      // Not waited for: its answer may need time to pass. A command that failed then fails now, and changes as little.
      this.perform(input.command).catch(() => undefined);
    } else if ('change' in input) this.simulation.cluster.change(input.change).catch(() => undefined);
    else if (input.isAnyoneHere) this.#endStandIn ??= this.simulation.cluster.debugger.attach();
    else this.#relieveStandIn();
    await this.time.idle();
  }

  /** The command is answered first: its connection ends with the run. */
  #rerunSoon(seq: number, lastSeq: number): { readonly run: string } {
    if (seq > lastSeq) throw new ApiError(400, 'BadRequest', `The run has only ${lastSeq} events yet; it can't be run again from event ${seq}.`);
    const answered = new Promise<void>((resolve) => this.#options.real.schedule(0, resolve));
    // From now on whoever comes waits for the new run.
    this.#ready = this.#ready.then(() => answered);
    this.rerun({ seq }).catch((error: unknown) => this.#options.simulation?.onError?.('Running again failed', error));
    return { run: this.#nameOf(this.#runs + 1) };
  }

  #create(run: string, { speed, paused, repeats }: Partial<Pick<TimeState, 'speed' | 'paused'>> & Pick<SimulationOptions, 'repeats'>): Life {
    const inputs: RecordedInput[] = [];
    // What is between two moves of the clock needs the simulation, and the simulation needs it.
    const parts: { life?: Life } = {};
    const between = <T>(input: () => Input | undefined, task: () => Promise<T>): Promise<T> => {
      const { life } = parts;
      if (!life) throw new Error('the simulation is not there yet');
      const { clock, cluster } = life.simulation;
      return life.driver.between(() => {
        const given = input();
        if (given) inputs.push({ at: clock.now(), after: cluster.log.lastSeq, fired: clock.fired, ...given });
        return task();
      });
    };
    const simulation = new Simulation({
      ...this.#options.simulation,
      run,
      ...(repeats ? { repeats } : {}),
      pacing: this.#options.real,
      debug: {
        ...this.#options.simulation?.debug,
        presence: (isAnyoneHere, takeEffect) => {
          between(
            () => ({ isAnyoneHere }),
            async () => takeEffect(),
          ).catch((error: unknown) => this.#options.simulation?.onError?.('A client could not be counted', error));
        },
      },
      time: {
        get state() {
          return parts.life?.driver.state ?? { now: simulation.clock.now(), speed: 1, paused: true };
        },
        subscribe: (listener) => parts.life?.driver.subscribe(listener) ?? (() => undefined),
      },
    });
    const driver = new TimeDriver({ clock: simulation.clock, real: this.#options.real, speed, paused });
    parts.life = { simulation, driver, inputs };
    const { cluster } = simulation;
    const { commandTable, log, debugger: debug } = cluster;
    commandTable.register({ ...timeCommandHandlers(driver, log), rerun: ({ seq }) => this.#rerunSoon(seq, log.lastSeq) });
    commandTable.intercept((command, proceed) => {
      if (!changesRun(command)) return proceed();
      return between(() => repeatable(command, debug), proceed);
    });
    cluster.interceptChanges((change, proceed) => between(() => ({ change }), proceed));
    this.#options.extend?.(simulation);
    return parts.life;
  }
}

/** The command as another life of the run understands it; undefined for one that can't do anything. */
function repeatable(command: Command, { inspector }: Simulation['cluster']['debugger']): { readonly command: Command } | undefined {
  if (command.command !== 'setVariable') return { command };
  try {
    return { command: inspector.byName(command) };
  } catch {
    // A stale reference: the command is about to be refused for it.
    return undefined;
  }
}
