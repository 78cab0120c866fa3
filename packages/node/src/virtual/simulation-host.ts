/**
 * Hosts a simulated node for clients. Clients control its time, their inputs are recorded, and the run can be repeated
 * up to any event, with changes. The page's Web Worker and `--runtime sim` use it.
 */
import { ApiError } from '@podscope/apiserver';
import type { Command } from '@podscope/protocol';
import type { Clock, Instant } from '@podscope/trace';
import type { Session, Transport } from '../sessions/session.ts';
import { changesRun, type Input, type RecordedInput } from './recorded-input.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';
import { timeCommandHandlers } from './time-commands.ts';
import { TimeDriver, type TimeState } from './time-driver.ts';

export interface SimulationHostOptions {
  readonly simulation?: Omit<SimulationOptions, 'pacing' | 'time' | 'run' | 'repeats'>;
  /** A clock of real time. */
  readonly real: Clock;
  readonly speed?: number;
  readonly paused?: boolean;
  /** The id of the run. */
  readonly run: string;
  /** Registers additional commands. Called for each simulation before the simulation starts. */
  readonly extend?: (simulation: Simulation) => void;
  /** Prepares each simulation, even a repeated one, before it starts. */
  readonly prepare?: (simulation: Simulation) => Promise<void>;
  /** Called for each simulation, even a repeated one, after the node has started and before time advances. */
  readonly begin?: (simulation: Simulation) => Promise<void>;
  /** Called after a rerun and before clients connect. {@link SimulationHost.simulation} is the new simulation then. */
  readonly onRerun?: () => void;
}

/** The point up to which a run is repeated. */
export interface RerunPoint {
  /** The number of the last repeated event. */
  readonly seq: number;
  /** The commands to run when the repeated run has reached the event with the number `seq`, before time advances. */
  readonly changes?: readonly Command[];
}

/** A simulation with the driver of its clock and its recorded inputs. */
interface SimulatedRun {
  readonly simulation: Simulation;
  readonly driver: TimeDriver;
  readonly inputs: RecordedInput[];
}

/** Upper limit of the timers that a rerun fires, so that a rerun ends even if it never reaches its event. */
const maxReplay = 10_000_000;

export class SimulationHost {
  readonly #options: SimulationHostOptions;
  #current: SimulatedRun;
  #runs = 1;
  #ready: Promise<void> = Promise.resolve();
  /**
   * Unregisters the placeholder client of the debugger. The placeholder keeps threads stopped after a rerun until the
   * first client has reconnected.
   */
  #endPlaceholder: (() => void) | undefined;

  constructor(options: SimulationHostOptions) {
    this.#options = options;
    this.#current = this.#create(options.run, { speed: options.speed, paused: options.paused });
  }

  get simulation(): Simulation {
    return this.#current.simulation;
  }

  get time(): TimeDriver {
    return this.#current.driver;
  }

  /**
   * Resolves when no rerun is in progress; never rejects. Clients must wait for it, because their commands would change
   * the run while it is repeated.
   */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** The inputs of the run up to now. */
  get inputs(): readonly RecordedInput[] {
    return this.#current.inputs;
  }

  /** Starts the node and its clock. */
  async start(): Promise<void> {
    await this.#begin();
    this.time.start();
  }

  async #begin(): Promise<void> {
    await this.#options.prepare?.(this.simulation);
    await this.simulation.start();
    await this.#options.begin?.(this.simulation);
  }

  /** Stops the clock, the node and the sessions. By default, pods are kept. */
  async stop(options?: Parameters<Simulation['stop']>[0]): Promise<void> {
    await this.#ready;
    await this.time.stop();
    await this.simulation.stop(options);
  }

  /**
   * Serves a client. The caller calls the session's `closed` when the transport closes. Wait for {@link ready} before.
   */
  connect(transport: Transport): Session {
    const session = this.simulation.nodeHost.connect(transport);
    this.#removePlaceholder();
    return session;
  }

  /**
   * Registers a client of the debugger that has no session.
   * @returns a function that unregisters it
   */
  attach(): () => void {
    const detach = this.simulation.nodeHost.debugger.attach();
    this.#removePlaceholder();
    return detach;
  }

  #removePlaceholder(): void {
    this.#endPlaceholder?.();
    this.#endPlaceholder = undefined;
  }

  /**
   * Runs a command and records it.
   * @throws the command's error
   */
  perform(command: Command): Promise<unknown> {
    return this.simulation.nodeHost.commandTable.run(command, { signal: new AbortController().signal });
  }

  /**
   * Repeats the run up to `point` in a new simulation and pauses it there. Clients are disconnected and then connect to
   * the new run.
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
    const [last] = this.simulation.nodeHost.log.after(seq - 1, 1);
    const repeats = { run: this.#nameOf(this.#runs), seq };
    const next = this.#nameOf(++this.#runs);
    await this.simulation.stop({ reason: 'The run starts again.', next });
    this.#endPlaceholder = undefined;
    this.#current = this.#create(next, { speed, paused: true, repeats });
    await this.#begin();
    const { clock, nodeHost } = this.simulation;
    for (const input of inputs) {
      while (clock.fired < input.fired && (await clock.fireNext(input.at)));
      if (clock.now() < input.at) await clock.advanceTo(input.at);
      await this.#repeat(input);
    }
    // The rerun also stops at the event's instant, even if it hasn't reached the event's number. The new run can have
    // fewer events, because text that was typed into a container isn't repeated.
    const end = (last?.seq === seq ? last.time : Number.MAX_SAFE_INTEGER) as Instant;
    for (let turns = 0; nodeHost.log.lastSeq < seq && turns < maxReplay; turns++)
      if (!(await clock.fireNext(end))) break;
    for (const change of changes) await this.perform(change);
    this.#options.onRerun?.();
    this.time.start();
  }

  #nameOf(run: number): string {
    return run === 1 ? this.#options.run : `${this.#options.run}-${run}`;
  }

  async #repeat(input: RecordedInput): Promise<void> {
    if ('command' in input) {
      // The command isn't awaited, because its result may need time to advance. A command that failed in the first run
      // fails again.
      this.perform(input.command).catch(() => undefined);
    } else if ('change' in input) this.simulation.nodeHost.change(input.change).catch(() => undefined);
    else if (input.hasClient) this.#endPlaceholder ??= this.simulation.nodeHost.debugger.attach();
    else this.#removePlaceholder();
    await this.time.idle();
  }

  /** Responds to the command before the rerun begins, because the rerun closes the command's connection. */
  #rerunSoon(seq: number, lastSeq: number): { readonly run: string } {
    if (seq > lastSeq)
      throw new ApiError(
        400,
        'BadRequest',
        `The run has only ${lastSeq} events yet; it can't be run again from event ${seq}.`,
      );
    const answered = new Promise<void>((resolve) => this.#options.real.schedule(0, resolve));
    // From now on, new clients wait for the new run.
    this.#ready = this.#ready.then(() => answered);
    this.rerun({ seq }).catch((error: unknown) => this.#options.simulation?.onError?.('Running again failed', error));
    return { run: this.#nameOf(this.#runs + 1) };
  }

  #create(
    run: string,
    { speed, paused, repeats }: Partial<Pick<TimeState, 'speed' | 'paused'>> & Pick<SimulationOptions, 'repeats'>,
  ): SimulatedRun {
    const inputs: RecordedInput[] = [];
    // `between` and the simulation refer to each other, so the simulation is set later.
    const parts: { current?: SimulatedRun } = {};
    const between = <T>(input: () => Input | undefined, task: () => Promise<T>): Promise<T> => {
      const { current } = parts;
      if (!current) throw new Error('the simulation has not been created yet');
      const { clock, nodeHost } = current.simulation;
      return current.driver.between(() => {
        const given = input();
        if (given) inputs.push({ at: clock.now(), after: nodeHost.log.lastSeq, fired: clock.fired, ...given });
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
        presence: (hasClient, takeEffect) => {
          between(
            () => ({ hasClient }),
            async () => takeEffect(),
          ).catch((error: unknown) => this.#options.simulation?.onError?.('A client could not be counted', error));
        },
      },
      time: {
        get state() {
          return parts.current?.driver.state ?? { now: simulation.clock.now(), speed: 1, paused: true };
        },
        subscribe: (listener) => parts.current?.driver.subscribe(listener) ?? (() => undefined),
      },
    });
    const driver = new TimeDriver({ clock: simulation.clock, real: this.#options.real, speed, paused });
    parts.current = { simulation, driver, inputs };
    const { nodeHost } = simulation;
    const { commandTable, log, debugger: debug } = nodeHost;
    commandTable.register({
      ...timeCommandHandlers(driver, log),
      rerun: ({ seq }) => this.#rerunSoon(seq, log.lastSeq),
    });
    commandTable.intercept((command, proceed) => {
      if (!changesRun(command)) return proceed();
      return between(() => repeatable(command, debug), proceed);
    });
    nodeHost.interceptChanges((change, proceed) => between(() => ({ change }), proceed));
    this.#options.extend?.(simulation);
    return parts.current;
  }
}

/** Returns the command in a form that also works in a repeated run; undefined for a command that will be rejected. */
function repeatable(
  command: Command,
  { inspector }: Simulation['nodeHost']['debugger'],
): { readonly command: Command } | undefined {
  if (command.command !== 'setVariable') return { command };
  try {
    return { command: inspector.byName(command) };
  } catch {
    // The reference is no longer valid, so the command will be rejected.
    return undefined;
  }
}
