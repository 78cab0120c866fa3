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
}

/** Not to be waited for when a run is repeated: what it takes to reach the point is known to be less. */
const maxReplay = 10_000_000;

export class SimulationHost {
  readonly #options: SimulationHostOptions;
  #inputs: RecordedInput[] = [];
  #simulation: Simulation;
  #driver: TimeDriver;
  #runs = 1;

  constructor(options: SimulationHostOptions) {
    this.#options = options;
    [this.#simulation, this.#driver] = this.#create(options.run, { speed: options.speed, paused: options.paused });
  }

  get simulation(): Simulation {
    return this.#simulation;
  }

  get time(): TimeDriver {
    return this.#driver;
  }

  /** What was done to the run so far. */
  get inputs(): readonly RecordedInput[] {
    return this.#inputs;
  }

  /** Starts the node, and time. */
  async start(): Promise<void> {
    await this.#begin();
    this.#driver.start();
  }

  async #begin(): Promise<void> {
    await this.#options.prepare?.(this.#simulation);
    await this.#simulation.start();
    await this.#options.begin?.(this.#simulation);
  }

  /** Ends time, node and sessions. */
  async stop(): Promise<void> {
    await this.#driver.stop();
    await this.#simulation.stop();
  }

  /** Serves a client until the transport is closed: then call the session's `closed`. */
  connect(transport: Transport): Session {
    return this.#simulation.cluster.connect(transport);
  }

  /** Performs a command as a client would, and keeps it. @throws what the command throws */
  perform(command: Command): Promise<unknown> {
    return this.#simulation.cluster.commandTable.run(command, { signal: new AbortController().signal });
  }

  /**
   * Begins the run anew, does again what was done up to `point`, and stands still there, paused: what happens next is for the client to
   * say. Its clients are sent away and come back to the new run.
   */
  async rerun({ seq }: RerunPoint): Promise<void> {
    const inputs = this.#inputs.filter(({ after }) => after < seq);
    const { speed } = this.#driver.state;
    await this.#driver.stop();
    await this.#simulation.stop('The run begins anew.');
    this.#inputs = [];
    this.#runs++;
    [this.#simulation, this.#driver] = this.#create(`${this.#options.run}-${this.#runs}`, { speed, paused: true });
    await this.#begin();
    const { clock, cluster } = this.#simulation;
    for (const { at, command } of inputs) {
      await clock.advanceTo(at);
      // Not waited for: its answer may need time to pass. A command that failed then fails now, and changes as little.
      this.perform(command).catch(() => undefined);
      await this.#driver.idle();
    }
    for (let turns = 0; cluster.log.lastSeq < seq && turns < maxReplay; turns++) if (!(await clock.fireNext(Number.MAX_SAFE_INTEGER as Instant))) break;
    this.#driver.start();
  }

  /** The command is answered first: its connection ends with the run. */
  #rerunSoon(seq: number, lastSeq: number): Record<string, never> {
    if (seq > lastSeq) throw new ApiError(400, 'BadRequest', `The run has only ${lastSeq} events yet; it can't be run again from event ${seq}.`);
    this.#options.real.schedule(0, () => {
      this.rerun({ seq }).catch((error: unknown) => this.#options.simulation?.onError?.('Running again failed', error));
    });
    return {};
  }

  #create(run: string, { speed, paused }: Partial<Pick<TimeState, 'speed' | 'paused'>>): [Simulation, TimeDriver] {
    const time = { source: undefined as TimeDriver | undefined };
    const simulation = new Simulation({
      ...this.#options.simulation,
      run,
      pacing: this.#options.real,
      time: {
        get state() {
          return time.source?.state ?? { now: simulation.clock.now(), speed: 1, paused: true };
        },
        subscribe: (listener) => time.source?.subscribe(listener) ?? (() => undefined),
      },
    });
    const driver = new TimeDriver({ clock: simulation.clock, real: this.#options.real, speed, paused });
    time.source = driver;
    const { commandTable, log } = simulation.cluster;
    commandTable.register({ ...timeCommandHandlers(driver, log), rerun: ({ seq }) => this.#rerunSoon(seq, log.lastSeq) });
    commandTable.intercept((command, proceed) => {
      if (!changesRun(command)) return proceed();
      return driver.between(() => {
        this.#inputs.push({ at: simulation.clock.now(), after: log.lastSeq, command });
        return proceed();
      });
    });
    this.#options.extend?.(simulation);
    return [simulation, driver];
  }
}
