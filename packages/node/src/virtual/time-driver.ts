/**
 * Drives a virtual clock by real time: paused, in steps, or at a speed in virtual seconds per real second. The speed
 * doesn't affect the run, because the same timers fire in the same order.
 */
import {
  addMilliseconds,
  type Clock,
  type Instant,
  type Milliseconds,
  type Timer,
  type VirtualClock,
} from '@podscope/trace';

/** How the time of a run advances. */
export interface TimeState {
  /** Virtual time. */
  readonly now: Instant;
  /** Virtual seconds per real second. */
  readonly speed: number;
  readonly paused: boolean;
}

/** The slowest and the fastest speed. */
export const speedRange = { min: 0.1, max: 1000 } as const;

/** The interval at which virtual time follows real time: one frame of a screen. */
const frame: Milliseconds = 16;
/** The longest time in ms that a turn may block the thread. Between turns, messages are answered. */
const longestTurn: Milliseconds = 12;
/** How often listeners are notified while the engine is slower than the requested speed. */
const correctionInterval: Milliseconds = 500;
/** The longest virtual time in ms in which the next event is searched. */
const farthestEvent: Milliseconds = 24 * 3_600_000;

export interface TimeDriverOptions {
  readonly clock: VirtualClock;
  /** A clock of real time. */
  readonly real: Clock;
  readonly speed?: number;
  readonly paused?: boolean;
}

/** Advances virtual time after {@link start}. */
export class TimeDriver {
  readonly #clock: VirtualClock;
  readonly #real: Clock;
  readonly #listeners = new Set<(state: TimeState) => void>();
  #speed: number;
  #paused: boolean;
  #timer: Timer | undefined;
  #reportedAt: Milliseconds = 0;
  #running = false;
  /** Resolves when all moves of the clock up to now have ended. Moves run one after another. */
  #moves: Promise<unknown> = Promise.resolve();
  /** How often moves were interrupted. A move that began before the last interruption ends early. */
  #era = 0;
  /** An instant of real time and the virtual time at that instant. The current virtual time is computed from them. */
  #base: { readonly real: Instant; readonly virtual: Instant };

  constructor({ clock, real, speed = 1, paused = false }: TimeDriverOptions) {
    this.#clock = clock;
    this.#real = real;
    this.#speed = speed;
    this.#paused = paused;
    this.#base = { real: real.now(), virtual: clock.now() };
  }

  get state(): TimeState {
    return { now: this.#clock.now(), speed: this.#speed, paused: this.#paused };
  }

  /** Starts the clock. */
  start(): void {
    this.#running = true;
    this.#rebase();
    this.#schedule();
  }

  /** Stops the clock permanently. Resolves after the last move. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#era++;
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#moves;
  }

  /**
   * Sets the speed, or pauses or continues.
   * @throws RangeError for a speed outside {@link speedRange}
   */
  set({ speed = this.#speed, paused = this.#paused }: { readonly speed?: number; readonly paused?: boolean }): void {
    if (!(speed >= speedRange.min && speed <= speedRange.max))
      throw new RangeError(`the speed must be from ${speedRange.min} to ${speedRange.max}, not ${speed}`);
    this.#speed = speed;
    this.#paused = paused;
    this.#era++;
    this.#rebase();
    this.#changed();
  }

  /**
   * Advances virtual time by `ms` at once, even while paused.
   * @param isEnough ends the advance once it returns true
   */
  async step(ms: Milliseconds, isEnough: () => boolean = () => false): Promise<void> {
    await this.#move(async (era) => {
      const target = addMilliseconds(this.#clock.now(), ms);
      const mayGoOn = (): boolean => era === this.#era && !isEnough();
      while (mayGoOn() && (await this.#clock.fireNext(target)));
      if (mayGoOn()) await this.#clock.advanceTo(target);
    });
  }

  /**
   * Fires timers until `happened` returns true.
   * @returns false if that takes more than a virtual day
   */
  async stepUntil(happened: () => boolean): Promise<boolean> {
    let found = false;
    await this.#move(async (era) => {
      const end = addMilliseconds(this.#clock.now(), farthestEvent);
      while (era === this.#era && !(found = happened()) && (await this.#clock.fireNext(end)));
    });
    return found;
  }

  /**
   * Starts `task` between two moves of the clock, so that the instant of the task is exact. The clock doesn't wait
   * until the task's promise settles.
   */
  async between<T>(task: () => Promise<T>): Promise<T> {
    let running: Promise<T> | undefined;
    const begun = this.#moves.then(async () => {
      running = task();
      // The caller handles the task's error.
      running.catch(() => undefined);
      await this.#clock.settle();
    });
    this.#moves = begun.catch(() => undefined);
    await begun;
    return running as Promise<T>;
  }

  /** Resolves when the current move has ended. */
  async idle(): Promise<void> {
    await this.#moves;
  }

  /**
   * Calls `listener` when speed or pause change, and after each step.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (state: TimeState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #move(body: (era: number) => Promise<void>): Promise<void> {
    const era = ++this.#era;
    const moved = this.#moves.then(() => body(era));
    this.#moves = moved.catch(() => undefined);
    await moved;
    this.#rebase();
    this.#changed();
  }

  #schedule(): void {
    this.#timer = this.#real.schedule(frame, () => {
      const turn = this.#moves.then(() => this.#turn());
      this.#moves = turn.catch(() => undefined);
      void turn.finally(() => {
        if (this.#running) this.#schedule();
      });
    });
  }

  /** Advances virtual time toward the time that real time and speed require, as far as possible in one turn. */
  async #turn(): Promise<void> {
    if (this.#paused || !this.#running) return;
    const era = this.#era;
    const begin = this.#real.now();
    const target = addMilliseconds(this.#base.virtual, (begin - this.#base.real) * this.#speed);
    while (era === this.#era) {
      if (this.#real.now() - begin > longestTurn) {
        this.#fallBehind(begin);
        return;
      }
      if (!(await this.#clock.fireNext(target))) break;
    }
    if (era === this.#era) await this.#clock.advanceTo(target);
  }

  /**
   * Continues from the current instant if the engine is slower than the requested speed. Otherwise virtual time would
   * lag behind more and more.
   */
  #fallBehind(at: Instant): void {
    this.#rebase();
    // Clients compute the time from the speed, so it has to be corrected from time to time.
    if (at - this.#reportedAt > correctionInterval) this.#changed();
  }

  #rebase(): void {
    this.#base = { real: this.#real.now(), virtual: this.#clock.now() };
  }

  #changed(): void {
    this.#reportedAt = this.#real.now();
    for (const listener of this.#listeners) listener(this.state);
  }
}
