/**
 * A simulated node with clients: time passes as they say, what they do is kept, and the run can be run again from any instant with a
 * change. Serves sessions like a server does; the page's Web Worker and `--runtime sim` stand on it.
 */
import { ApiError, type Session, type Transport } from '@podscope/cluster';
import type { Command } from '@podscope/protocol';
import type { Clock, Instant } from '@podscope/trace';
import { changesRun, type RecordedInput } from './recorded-input.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';
import { timeCommandHandlers } from './time-commands.ts';
import { TimeDriver, type TimeState } from './time-driver.ts';

export interface SimulationHostOptions {
  readonly simulation?: Omit<SimulationOptions, 'pacing' | 'time' | 'run'>;
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

  /** Ends time, node and sessions. */
  async stop(): Promise<void> {
    await this.time.stop();
    await this.simulation.stop();
  }

  /** Serves a client until the transport is closed: then call the session's `closed`. */
  connect(transport: Transport): Session {
    const session = this.simulation.cluster.connect(transport);
    this.#endStandIn?.();
    this.#endStandIn = undefined;
    return session;
  }

  /** Performs a command as a client would, and keeps it. @throws what the command throws */
  perform(command: Command): Promise<unknown> {
    return this.simulation.cluster.commandTable.run(command, { signal: new AbortController().signal });
  }

  /**
   * Begins the run anew, does again what was done up to `point`, and stands still there, paused: what happens next is for the client to
   * say. Its clients are sent away and come back to the new run.
   */
  async rerun({ seq, changes = [] }: RerunPoint): Promise<void> {
    const inputs = this.inputs.filter(({ after }) => after < seq);
    const { speed } = this.time.state;
    await this.time.stop();
    await this.simulation.stop('The run begins anew.');
    this.#endStandIn = undefined;
    this.#runs++;
    this.#life = this.#create(`${this.#options.run}-${this.#runs}`, { speed, paused: true });
    await this.#begin();
    const { clock, cluster } = this.simulation;
    for (const input of inputs) {
      while (clock.fired < input.fired && (await clock.fireNext(input.at)));
      if (clock.now() < input.at) await clock.advanceTo(input.at);
      await this.#repeat(input);
    }
    for (let turns = 0; cluster.log.lastSeq < seq && turns < maxReplay; turns++) if (!(await clock.fireNext(Number.MAX_SAFE_INTEGER as Instant))) break;
    for (const change of changes) await this.perform(change);
    this.time.start();
  }

  async #repeat(input: RecordedInput): Promise<void> {
    if ('command' in input) {
      // Not waited for: its answer may need time to pass. A command that failed then fails now, and changes as little.
      this.perform(input.command).catch(() => undefined);
    } else if (input.isAnyoneHere) this.#endStandIn ??= this.simulation.cluster.debugger.attach();
    else {
      this.#endStandIn?.();
      this.#endStandIn = undefined;
    }
    await this.time.idle();
  }

  /** The command is answered first: its connection ends with the run. */
  #rerunSoon(seq: number, lastSeq: number): Record<string, never> {
    if (seq > lastSeq) throw new ApiError(400, 'BadRequest', `The run has only ${lastSeq} events yet; it can't be run again from event ${seq}.`);
    this.#options.real.schedule(0, () => {
      this.rerun({ seq }).catch((error: unknown) => this.#options.simulation?.onError?.('Running again failed', error));
    });
    return {};
  }

  #create(run: string, { speed, paused }: Partial<Pick<TimeState, 'speed' | 'paused'>>): Life {
    const inputs: RecordedInput[] = [];
    // What is between two moves of the clock needs the simulation, and the simulation needs it.
    const parts: { life?: Life } = {};
    const between = <T>(input: () => { readonly command: Command } | { readonly isAnyoneHere: boolean } | undefined, task: () => Promise<T>): Promise<T> => {
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
    const { commandTable, log, debugger: debug } = simulation.cluster;
    commandTable.register({ ...timeCommandHandlers(driver, log), rerun: ({ seq }) => this.#rerunSoon(seq, log.lastSeq) });
    commandTable.intercept((command, proceed) => {
      if (!changesRun(command)) return proceed();
      return between(() => repeatable(command, debug), proceed);
    });
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
